import type { AppRoute } from '@ts-rest/core'
import type { LimitClass } from './limits.ts'
import type { ScopeRequirement } from './oauth/endpoint-scopes.ts'

/**
 * A route's declaration beyond its schemas. The server's middleware, the OpenAPI document and the
 * client read it, so handlers never repeat it.
 */
export interface RouteMetadata {
  /**
   * Required credential: none, an agent's API key, an app's client id and secret, or an access
   * token.
   */
  readonly auth: 'none' | 'apiKey' | 'client' | 'accessToken'
  /** Minimum access of the API key if `auth` is `apiKey`. The default is `full`. */
  readonly access?: KeyAccess
  /**
   * Whether an API key is optional. With a key, members see private skills, publishers see why
   * their skill is hidden, and a reader counts once. An unknown key is ignored.
   */
  readonly takesApiKey?: boolean
  /** Sufficient scopes if `auth` is `accessToken`. */
  readonly scopes?: ScopeRequirement
  /**
   * Whether the parameters of `body` come in the query (spec/oauth.md#token-endpoint) or in a form
   * body (spec/decisions.md#parameter-location).
   */
  readonly form?: boolean
  /** Size limit of a binary body, bytes. */
  readonly bytes?: number
  /**
   * Query parameters that are required although the schema makes them optional, because another
   * parameter can replace them or the route reports their absence itself.
   */
  readonly requires?: readonly string[]
  /**
   * Query parameters of the vendor's clients that have no effect here. Others that are unknown are
   * refused.
   */
  readonly ignores?: readonly string[]
  /** Seconds for which caches may store the response, even if those of the service are private. */
  readonly maxAge?: number
  /** Rate limit class, see `limits.ts`. */
  readonly limit: LimitClass | 'none'
  /** The vendor's category of its requests, whose rate is limited. The default is `light`. */
  readonly category?: 'light' | 'medium' | 'heavy'
  /** Whether a request counts for the vendor's daily limit of the meetings of a user. */
  readonly isDaily?: true
  /**
   * Section of the documentation. Routes without a tag implement other programs' protocols and are
   * neither in the document nor in the client.
   */
  readonly tag?: string
  /**
   * Whether a POST is idempotent, so that a client may retry it after a failure. GET, PUT and
   * DELETE always are (RFC 9110 §9.2.2).
   */
  readonly idempotent?: boolean
}

/**
 * Access levels of API keys. Each includes the previous ones: read the own profile; publish, change
 * and delete own skills; everything.
 */
export const keyAccesses = ['read', 'publish', 'full'] as const

export type KeyAccess = (typeof keyAccesses)[number]

/** Whether a key with access `held` is sufficient for a route that requires `required`. */
export const allowsAccess = (held: KeyAccess, required: KeyAccess): boolean =>
  keyAccesses.indexOf(held) >= keyAccesses.indexOf(required)

/** Types a route's metadata, with literal types and checked names. */
export const metadata = <const M extends RouteMetadata>(value: M): M => value

/** Returns the metadata of a route. Throws if the route has no metadata. */
export function metadataOf({ metadata, path }: AppRoute): RouteMetadata {
  if (isMetadata(metadata)) return metadata
  throw new Error(`${path} has no metadata.`)
}

/** Whether a value is the metadata of a route. */
export const isMetadata = (value: unknown): value is RouteMetadata =>
  typeof value === 'object' && value !== null && 'auth' in value && 'limit' in value
