import { readFile, rm } from 'node:fs/promises'
import { unlessMissing } from '../cli/errors.ts'
import { writePrivateFile } from '../cli/private-file.ts'
import type { TokenStore, Tokens } from '../oauth/tokens.ts'
import { asRecord, parseJson } from '../untrusted.ts'

/**
 * Creates a token store in a file that only its owner can read (mode 0600). Writes are atomic, so a crash
 * leaves either the old or the new tokens. Several processes may share the file.
 *
 * @example
 * import { fileTokenStore } from '@skillpass/client/node'
 *
 * const store = fileTokenStore('.skillpass/tokens.json')
 * const flow = deviceFlow({ authUrl, clientId, clientSecret, store })
 * const accessToken = (await flow.resume()) ?? (await (await flow.start()).wait())
 */
export function fileTokenStore(path: string): TokenStore {
  return {
    async load() {
      const text = await readFile(path, 'utf8').catch(unlessMissing)
      return text === undefined ? undefined : parsed(path, text)
    },
    async save(tokens) {
      await writePrivateFile(path, `${JSON.stringify(tokens, null, 2)}\n`)
    },
    clear: () => rm(path, { force: true }),
  }
}

/** Does not include the message of `JSON.parse`, which quotes the text and could reveal a token. */
function parsed(path: string, text: string): Tokens {
  const stored = parseJson(text)
  if (isTokens(stored)) return stored
  throw new Error(`${path} holds no tokens. Remove it and let the user authorize again.`)
}

function isTokens(stored: unknown): stored is Tokens {
  const { accessToken, refreshToken, scope, apiUrl, issuedAt, expiresAt } = asRecord(stored)
  return (
    [accessToken, scope, apiUrl, refreshToken ?? ''].every((text) => typeof text === 'string') &&
    [issuedAt, expiresAt].every((time) => typeof time === 'number')
  )
}
