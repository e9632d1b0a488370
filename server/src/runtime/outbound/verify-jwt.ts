import { createHash } from 'node:crypto'
import {
  createLocalJWKSet,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose'
import { z } from 'zod'
import { errorCode } from '../../errors/error-code.ts'
import { Failure } from '../../errors/failure.ts'
import type { Context } from '../context.ts'

/** Accepted signature algorithms. All are asymmetric. */
export const jwtAlgorithms = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'PS256', 'RS256']

/** Allowed difference of the clocks, ms. */
export const tolerance = 30_000

/** Minimum time between two fetches of a key set, ms. */
const refetchInterval = 60_000

const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) })

/** Public keys (RFC 7517 §5), or the address of a document with them. */
interface KeySource {
  readonly jwks?: Readonly<Record<string, unknown>> | undefined
  readonly jwksUri?: string | undefined
}

/** What messages call a JWT and its signer. */
interface Names {
  readonly jwt: 'client assertion' | 'token'
  readonly signer: 'client' | 'issuer'
}

/** Verifies a JWT at the time of the context. Returns its claims, or the problem as a sentence. */
export async function verifyJwt(
  ctx: Context,
  jwt: string,
  keys: KeySource,
  { jwt: name, signer }: Names,
  options: JWTVerifyOptions,
): Promise<JWTPayload | string> {
  const invalid = `The ${name} is not a valid JWT, or the key set of the ${signer} is invalid.`
  const messages: Readonly<Record<string, string>> = {
    ERR_JWT_EXPIRED: `The ${name} has expired.`,
    ERR_JOSE_ALG_NOT_ALLOWED: `Sign the ${name} with ${jwtAlgorithms.join(', ')}.`,
    ERR_JWKS_NO_MATCHING_KEY: `The ${signer} has no key with the kid and alg of the ${name}.`,
    ERR_JWKS_MULTIPLE_MATCHING_KEYS: `Several keys of the ${signer} match. Send the kid of one.`,
    ERR_JWS_SIGNATURE_VERIFICATION_FAILED: `The signature of the ${name} is wrong.`,
  }
  try {
    const { payload } = await jwtVerify(jwt, keyFinder(ctx, keys), {
      algorithms: jwtAlgorithms,
      currentDate: new Date(ctx.steadyNow()),
      clockTolerance: tolerance / 1000,
      ...options,
    })
    return payload
  } catch (error) {
    if (error instanceof MissingKeySet) return error.message
    if (error instanceof Failure) throw error
    if (error instanceof errors.JWTClaimValidationFailed) {
      return `The claim ${error.claim} of the ${name} is missing or wrong.`
    }
    return messages[errorCode(error)] ?? invalid
  }
}

/** Returns the record of a JWT's use, which makes a second use fail. */
export const useOfJwt = (signer: string, { jti, exp = 0 }: JWTPayload) => ({
  key: createHash('sha256')
    .update(JSON.stringify([signer, jti]))
    .digest('base64url'),
  expiresAt: Math.ceil(exp * 1000) + tolerance,
})

/** Finds the key of a JWT. Fetches `jwksUri` again for a key that is not in the cached set. */
const keyFinder =
  (ctx: Context, { jwks, jwksUri: uri }: KeySource): JWTVerifyGetKey =>
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

class MissingKeySet extends Error {}

async function fetchKeys({ address, fetchJson }: Context, uri: string, maxAge?: number) {
  const fetched = await fetchJson(uri, { address, maxAge })
  if ('json' in fetched) return fetched.json
  if (fetched.retryAfter) throw new Failure(429, { retryAfter: fetched.retryAfter })
  throw new MissingKeySet(`The service cannot fetch the jwks_uri. ${fetched.reason}`)
}
