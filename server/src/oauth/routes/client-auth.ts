import type { Request, RequestHandler, Response } from 'express'
import { Failure, fail } from '../../errors/failure.ts'
import { explainOtherBody } from '../../http/body.ts'
import { noteApp } from '../../http/call-log.ts'
import { createCallers, routeOf } from '../../http/request.ts'
import { type Context, forRequest } from '../../runtime/context.ts'
import { secondsToWait } from '../../runtime/limits/rate-limiter.ts'
import { equalSecrets, hashSecret, type Secret } from '../../secrets/secrets.ts'
import { hasOrigin, type OAuthClient } from '../../store/oauth/clients.ts'
import { checkAssertion, clientOfAssertion } from '../client-assertion.ts'
import { findKnownClient } from '../clients.ts'

const clients = createCallers<OAuthClient>('credentials_missing')

export const clientOf = clients.of

/**
 * Failed attempts allowed in any `window` (ms), per client and client address. All unknown client
 * ids share one counter, so that they cannot fill the memory.
 */
const failures = { known: 10, unknown: 100, window: 60_000 }

/**
 * Authenticates a client by Basic or by the form body. A public client sends only its id
 * (spec/oauth.md#authentication, RFC 6749 §2.3). This is the first check, so that a request with a
 * wrong secret never consumes a code.
 */
export const authenticateClient =
  (ctx: Context): RequestHandler =>
  async (req, res, next) => {
    if (routeOf(req).metadata.auth !== 'client') return next()
    try {
      const client = await findAuthenticated(forRequest(ctx, req), req)
      clients.set(res, client)
      // Withdraw the CORS permission unless the origin belongs to the authenticated app.
      const { origin } = req.headers
      if (origin !== undefined && !(await hasOrigin(ctx.db.read, origin, client.clientId))) {
        res.removeHeader('Access-Control-Allow-Origin')
      }
    } catch (error) {
      if (error instanceof Failure && error.status === 401) challengeBasic(req, res)
      throw error
    }
    next()
  }

async function findAuthenticated(ctx: Context, req: Request): Promise<OAuthClient> {
  const body: Record<string, string | undefined> = req.body
  const { ids, secrets, isBasic, assertion } = credentialsOf(req, body)
  let client: OAuthClient | undefined
  for (const id of ids) client ??= await findKnownClient(ctx, id)
  if (client) noteApp(req, { appId: client.app.id })
  if (assertion !== undefined) return authenticateByKey(ctx, client, assertion)
  if (client && secrets.length === 0 && !client.app.publicClient) fail('credentials_missing')
  const now = ctx.steadyNow()
  // Compare secrets even for an unknown id, so that it takes the same time and gets the same error.
  const matches = secrets.some((secret) => isSecretOf(client, secret, now))
  const isPublic = client?.app.publicClient === true && secrets.length === 0
  if (!client || !(matches || isPublic)) return refuse(ctx, client)
  if (isBasic && body.client_id !== undefined && body.client_id !== client.clientId) {
    fail('client_mismatch')
  }
  return client
}

/** Authenticates a client with the method `private_key_jwt` (RFC 7523 §3). */
async function authenticateByKey(
  ctx: Context,
  client: OAuthClient | undefined,
  assertion: string,
): Promise<OAuthClient> {
  if (client?.document?.authMethod !== 'private_key_jwt') {
    return refuse(ctx, client, 'The client is unknown, or its method is not private_key_jwt.')
  }
  const problem = await checkAssertion(ctx, client.clientId, client.document, assertion)
  return problem === undefined ? client : refuse(ctx, client, problem)
}

/**
 * Refuses a wrong secret or assertion, with 429 after too many failures. The right one is never
 * rate limited by failures of others, because 256 bits cannot be guessed.
 */
async function refuse(
  ctx: Context,
  client: OAuthClient | undefined,
  message?: string,
): Promise<never> {
  const { known, unknown, window } = failures
  const key = `client:${ctx.address}:${client?.clientId ?? ''}`
  const limits = [{ key, limit: client ? known : unknown, window }]
  const retryAfter = await secondsToWait(ctx.limiter, limits, { hasFailed: true })
  if (retryAfter > 0) throw new Failure('too_many_requests', { retryAfter })
  return fail('invalid_client', message)
}

/** Reads the credentials of a request, in every encoding that clients are known to use. */
function credentialsOf(req: Request, body: Record<string, string | undefined>) {
  const { client_id: id, client_secret: secret, client_assertion: assertion } = body
  const headers = req.headersDistinct.authorization ?? []
  if (assertion !== undefined) {
    if (secret !== undefined || headers.length > 0) {
      fail('invalid_request', 'Send either client_assertion or a client secret, not both.')
    }
    const subject = clientOfAssertion(assertion, body.client_assertion_type)
    return { ids: [id ?? subject], secrets: [], isBasic: false, assertion }
  }
  if (headers.length === 0) {
    if (id === undefined) fail('credentials_missing', explainOtherBody(req))
    return { ids: [id], secrets: secret === undefined ? [] : [secret], isBasic: false }
  }
  if (secret !== undefined) {
    fail(
      'invalid_request',
      'Send the client secret either in the header or in the form body, not in both.',
    )
  }
  // The space is required, because otherwise matching a long header would take quadratic time.
  const [, scheme = '', encoded = ''] = /^(\S+)(?: +(\S+))? *$/.exec(headers[0] ?? '') ?? []
  if (scheme.toLowerCase() !== 'basic' || encoded === '') fail('credentials_missing')
  if (headers.length > 1) fail('invalid_client')
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) fail('invalid_client')
  const password = text.slice(colon + 1)
  return {
    ids: spellings(text.slice(0, colon)),
    // Libraries of public clients may send an empty secret.
    secrets: password === '' ? [] : spellings(password),
    isBasic: true,
  }
}

/** A credential as received and percent-decoded, since libraries differ (RFC 6749 §2.3.1). */
function spellings(text: string): string[] {
  if (!/^[\x20-\x7e]+$/.test(text)) fail('invalid_client')
  if (!text.includes('%')) return [text]
  try {
    return [text, decodeURIComponent(text)].filter((one) => !one.includes('\0'))
  } catch {
    return [text]
  }
}

/** Placeholder for the hash of an unknown client. No secret has this hash. */
const noSecret = '0'.repeat(64)

function isSecretOf(client: OAuthClient | undefined, text: string, now: number): boolean {
  const hash = hashSecret(text as Secret)
  const isCurrent = equalSecrets(hash, client?.secretHash ?? noSecret)
  const isOverlap = (client?.previousSecretExpiresAt ?? 0) > now
  const isPrevious = equalSecrets(hash, (isOverlap && client?.previousSecretHash) || noSecret)
  return isCurrent || isPrevious
}

/** Sends a Basic challenge if the refused request used Basic (RFC 6749 §5.2). */
export function challengeBasic(req: Request, res: Response): void {
  const usedBasic = /^basic(\s|$)/i.test(req.headers.authorization ?? '')
  if (usedBasic) res.setHeader('WWW-Authenticate', 'Basic realm="skillpass"')
}
