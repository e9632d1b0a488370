import { createHash } from 'node:crypto'
import { oauthContract } from '@skillpass/contract'
import {
  createLocalJWKSet,
  decodeJwt,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose'
import { z } from 'zod'
import { errorCode } from '../errors/error-code.ts'
import { Failure, fail } from '../errors/failure.ts'
import type { Context } from '../runtime/context.ts'
import type { ClientDocument } from '../store/oauth/clients.ts'
import { insertClientAssertion } from '../store/oauth/expired.ts'

/** Public keys of a client with the method `private_key_jwt` (RFC 7591 §2). */
type ClientKeys = Pick<ClientDocument, 'jwks' | 'jwksUri'>

/** The only value of `client_assertion_type` (RFC 7523 §2.2). */
const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** Signature algorithms of assertions. All are asymmetric. */
export const assertionAlgorithms = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256']

/** Maximum time until an assertion expires, and allowed difference of the clocks, ms. */
const maxLifetime = 600_000
const tolerance = 30_000

/** Minimum time between two fetches of a key set, ms. */
const refetchInterval = 60_000

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

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
  const now = ctx.steadyNow()
  const payload = await verify(ctx, clientId, keys, { assertion, now })
  if (typeof payload === 'string') return payload
  const { exp = 0, jti } = payload
  if (exp * 1000 > now + maxLifetime + tolerance) return 'exp must be at most 10 minutes ahead.'
  const key = createHash('sha256')
    .update(JSON.stringify([clientId, jti]))
    .digest('base64url')
  const use = { key, expiresAt: Math.ceil(exp * 1000) + tolerance }
  const isFirst = await ctx.db.write((trx) => insertClientAssertion(trx, use))
  return isFirst ? undefined : 'The client assertion was already used. Send a new jti each time.'
}

/** Returns the claims of an assertion, or the problem as a sentence. */
async function verify(
  ctx: Context,
  clientId: string,
  keys: ClientKeys,
  { assertion, now }: { assertion: string; now: number },
): Promise<JWTPayload | string> {
  try {
    const { payload } = await jwtVerify(assertion, keyFinder(ctx, keys), {
      algorithms: assertionAlgorithms,
      issuer: clientId,
      subject: clientId,
      audience: [ctx.config.authUrl, ctx.config.authUrl + oauthContract.token.path],
      requiredClaims: ['exp', 'jti'],
      currentDate: new Date(now),
      clockTolerance: tolerance / 1000,
    })
    return payload
  } catch (error) {
    if (error instanceof Failure && error.status === 401) return error.message
    if (error instanceof Failure) throw error
    if (error instanceof errors.JWTClaimValidationFailed) {
      return `The claim ${error.claim} of the client assertion is missing or wrong.`
    }
    return messages[errorCode(error)] ?? invalid
  }
}

/**
 * Finds the key of an assertion. Fetches `jwks_uri` again for a key that is not in the cached set.
 */
const keyFinder =
  (ctx: Context, { jwks, jwksUri: uri }: ClientKeys): JWTVerifyGetKey =>
  async (header, token) => {
    const find = async (maxAge?: number) => {
      const set = uri === undefined ? jwks : await fetchKeys(ctx, uri, maxAge)
      return createLocalJWKSet(KeySet.parse(set))(header, token)
    }
    try {
      return await find()
    } catch (error) {
      if (uri === undefined || !(error instanceof errors.JWKSNoMatchingKey)) throw error
      return find(refetchInterval)
    }
  }

async function fetchKeys({ address, fetchJson }: Context, uri: string, maxAge?: number) {
  const fetched = await fetchJson(uri, { address, maxAge })
  if ('json' in fetched) return fetched.json
  if (fetched.retryAfter) throw new Failure(429, { retryAfter: fetched.retryAfter })
  return fail('invalid_client', `The service cannot fetch the jwks_uri. ${fetched.reason}`)
}

const invalid = 'The client assertion is not a valid JWT, or the key set of the client is invalid.'

/** Messages for errors of `jose`, by code. */
const messages: Readonly<Record<string, string>> = {
  ERR_JWT_EXPIRED: 'The client assertion has expired.',
  ERR_JOSE_ALG_NOT_ALLOWED: `Sign the client assertion with ${assertionAlgorithms.join(', ')}.`,
  ERR_JWKS_NO_MATCHING_KEY: 'The client has no key with the kid and alg of the client assertion.',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'Several keys of the client match. Send the kid of one.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the client assertion is wrong.',
}
