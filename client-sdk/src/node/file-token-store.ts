import { randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { unlessMissing } from '../cli/errors.ts'
import { makeFolder } from '../cli/make-folder.ts'
import type { TokenStore, Tokens } from '../oauth/tokens.ts'
import { fieldsOf, jsonIn } from '../read.ts'

/**
 * A store in a file that its owner alone can read (mode 0600), written so that a crash leaves the old
 * or the new tokens and never half of them. Several processes may share it.
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
      await makeFolder(dirname(path), 0o700)
      const temporary = `${path}.${randomUUID()}.tmp`
      try {
        await write(temporary, `${JSON.stringify(tokens, null, 2)}\n`)
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      await sync(dirname(path))
    },
    clear: () => rm(path, { force: true }),
  }
}

/** What JSON.parse says quotes the text, which may be a token: it stays out of the message. */
function parsed(path: string, text: string): Tokens {
  const kept = jsonIn(text)
  if (isTokens(kept)) return kept
  throw new Error(`${path} holds no tokens: remove it and let the user authorize again.`)
}

function isTokens(kept: unknown): kept is Tokens {
  const { accessToken, refreshToken, scope, apiUrl, issuedAt, expiresAt } = fieldsOf(kept)
  return (
    [accessToken, scope, apiUrl, refreshToken ?? ''].every((text) => typeof text === 'string') &&
    [issuedAt, expiresAt].every((time) => typeof time === 'number')
  )
}

async function write(path: string, text: string) {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The rename is durable once the folder is written too; Windows has no such thing. */
async function sync(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
