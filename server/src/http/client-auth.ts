import type { Request, Response } from 'express'
import type { Context } from '../context.ts'
import { Failure, fail } from '../errors.ts'
import { isSecretOf } from '../oauth/client-secret.ts'
import { type Client, findClient } from '../oauth/store/clients.ts'
import { setClient } from './caller.ts'
import { clientAddress } from './client-address.ts'
import { refuseForeignOrigin } from './cors.ts'

/** Failed attempts that are taken in any minute, per client id and client address. */
const failures = { limit: 10, window: 60_000 }

/** What a request says of who it is, in every spelling that clients are known to use. */
interface Credentials {
  /** The id, and the same percent-decoded. */
  readonly ids: readonly string[]
  readonly secrets: readonly string[]
  readonly isBasic: boolean
}

/**
 * Signs an app's client in: Basic, or `client_id` and `client_secret` of the form body; a public
 * client sends its id alone (OAuth spec §5, RFC 6749 §2.3). Nothing else of the request has been
 * looked at by then, so that a wrong secret uses up no code.
 */
export async function authenticateClient(ctx: Context, req: Request, res: Response): Promise<void> {
  const usedBasic = req.headers.authorization !== undefined
  try {
    const client = await signInClient(ctx, req)
    setClient(res, client)
    await refuseForeignOrigin(ctx, req.headers.origin, client.clientId, res)
  } catch (error) {
    const isUnknown = error instanceof Failure && error.status === 401
    if (isUnknown && usedBasic) res.setHeader('WWW-Authenticate', 'Basic realm="skillpass"')
    throw error
  }
}

async function signInClient(ctx: Context, req: Request): Promise<Client> {
  const body: Record<string, string | undefined> = req.body
  const { ids, secrets, isBasic } = credentialsOf(req, body)
  // The decoded spelling: by the others one id could be tried under many names.
  const id = ids.at(-1) ?? ''
  const key = `client:${clientAddress(req)}:${id.slice(0, 64)}`
  const { allowed, resetMs } = await ctx.limiter.look(key, failures.limit, failures.window)
  if (!allowed) {
    throw new Failure('too_many_requests', { retryAfter: Math.max(1, Math.ceil(resetMs / 1000)) })
  }
  const client = await findFirst(ids, (one) => findClient(ctx.db.read, one))
  if (client && secrets.length === 0 && !client.app.publicClient) fail('credentials_missing')
  const now = ctx.steadyNow()
  // An unknown id takes the same comparison, and gets the same answer.
  const matches = secrets.some((secret) => isSecretOf(client, secret, now))
  const isPublic = client?.app.publicClient === true && secrets.length === 0
  if (!client || !(matches || isPublic)) {
    await ctx.limiter.take(key, failures.limit, failures.window)
    return fail('invalid_client')
  }
  if (isBasic && body.client_id !== undefined && body.client_id !== client.clientId) {
    fail('client_mismatch')
  }
  return client
}

function credentialsOf(req: Request, body: Record<string, string | undefined>): Credentials {
  const { client_id: id, client_secret: secret } = body
  const headers = req.headersDistinct.authorization ?? []
  if (headers.length === 0) {
    if (id === undefined) fail('credentials_missing')
    return { ids: [id], secrets: secret === undefined ? [] : [secret], isBasic: false }
  }
  if (secret !== undefined) {
    fail('invalid_request', 'Send the client secret in one place, the header or the form body.')
  }
  // Between the two stands a space, else a long header would be tried at each of its characters.
  const [, scheme = '', encoded = ''] = /^(\S+)(?: +(\S+))? *$/.exec(headers[0] ?? '') ?? []
  if (scheme.toLowerCase() !== 'basic' || encoded === '') fail('credentials_missing')
  if (headers.length > 1) fail('invalid_client')
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) fail('invalid_client')
  const given = text.slice(colon + 1)
  return {
    ids: spellings(text.slice(0, colon)),
    // A public client's library may send an empty one.
    secrets: given === '' ? [] : spellings(given),
    isBasic: true,
  }
}

/** As it is, and percent-decoded (RFC 6749 §2.3.1): libraries encode all, `:` alone or nothing. */
function spellings(text: string): string[] {
  if (!/^[\x20-\x7e]+$/.test(text)) fail('invalid_client')
  if (!text.includes('%')) return [text]
  try {
    return [text, decodeURIComponent(text)].filter((one) => !one.includes('\0'))
  } catch {
    return [text]
  }
}

async function findFirst<T>(
  keys: readonly string[],
  find: (key: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const key of keys) {
    const found = await find(key)
    if (found !== undefined) return found
  }
  return undefined
}
