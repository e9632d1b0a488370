import { oauthContract } from '@skillpass/contract'
import { decodeJwt } from 'jose'
import { fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import { tolerance, useOfJwt, verifyJwt } from '../runtime/outbound/verify-jwt.ts'
import type { ClientDocument } from '../store/oauth/clients.ts'
import { insertClientAssertion } from '../store/oauth/expired.ts'

/** Public keys of a client with the method `private_key_jwt` (RFC 7591 §2). */
type ClientKeys = Pick<ClientDocument, 'jwks' | 'jwksUri'>

/** The only value of `client_assertion_type` (RFC 7523 §2.2). */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Maximum time until an assertion expires, ms. */
const maxLifetime = 600_000

/** Returns the `sub` of an assertion, which names the client if `client_id` is absent. */
export function clientOfAssertion(assertion: string, type: string | undefined): string {
  if (type !== assertionType) {
    fail('invalid_client', `client_assertion_type must be ${assertionType}.`)
  }
  try {
    return decodeJwt(assertion).sub ?? ''
  } catch {
    return fail('invalid_client', invalid)
  }
}

/**
 * Verifies a client assertion, which can be used once (RFC 7523 §3). Returns the problem as a
 * sentence, or undefined.
 */
export async function checkAssertion(
  ctx: Context,
  clientId: string,
  keys: ClientKeys,
  assertion: string,
): Promise<string | undefined> {
  const names = { jwt: 'client assertion', signer: 'client' } as const
  const payload = await verifyJwt(ctx, assertion, keys, names, {
    issuer: clientId,
    subject: clientId,
    audience: [ctx.config.authUrl, ctx.config.authUrl + oauthContract.token.path],
    requiredClaims: ['exp', 'jti'],
  })
  if (typeof payload === 'string') return payload
  const latest = ctx.steadyNow() + maxLifetime + tolerance
  if ((payload.exp ?? 0) * 1000 > latest) return 'exp must be at most 10 minutes ahead.'
  const use = useOfJwt(clientId, payload)
  const isFirst = await ctx.db.write((trx) => insertClientAssertion(trx, use))
  return isFirst ? undefined : 'The client assertion was already used. Send a new jti each time.'
}

const invalid = 'The client assertion is not a valid JWT.'
