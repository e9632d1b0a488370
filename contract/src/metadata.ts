import type { AppRoute } from '@ts-rest/core'
import type { ScopeRequirement } from './oauth/endpoint-scopes.ts'

/**
 * What a route declares about itself beyond its schemas. The server's middleware, the OpenAPI
 * document and the client read it from here; no handler repeats it.
 */
export interface RouteMetadata {
  /**
   * Credential that the route asks for: none, an agent's API key as a Bearer token, an app's id and
   * secret, or an access token as a Bearer token.
   */
  readonly auth: 'none' | 'apiKey' | 'client' | 'accessToken'
  /** Least access of the API key, where `auth` is `apiKey`; `full` where nothing is said. */
  readonly access?: KeyAccess
  /**
   * True where an agent's API key is taken along but not asked for: a publisher is told why its skill
   * is hidden, and a reader counts once. An unknown one is ignored.
   */
  readonly takesApiKey?: boolean
  /** Scopes that open the route, where `auth` is `accessToken`. */
  readonly scopes?: ScopeRequirement
  /**
   * True where the parameters of `body` stand in the query, as the OAuth spec has it (§4), or in a
   * form body: each in one of the two.
   */
  readonly form?: boolean
  /** Most bytes of a body that is no text but the bytes of a file. */
  readonly bytes?: number
  /**
   * Query parameters that a specification requires and the schema does not, because something else
   * may stand in for them or the route says in its own way that they are missing.
   */
  readonly requires?: readonly string[]
  /** Rate-limit class, see `limits.ts`. */
  readonly limit: LimitClass | 'none'
  /**
   * Heading under which the documentation lists the route. None for what other programs define and ask
   * for: neither the document nor the client has it.
   */
  readonly tag?: string
  /**
   * True where sending the same request again leaves the same state, so that a client may repeat it
   * after a failure. GET, PUT and DELETE are so by RFC 9110; a POST says it here.
   */
  readonly idempotent?: boolean
}

/**
 * What an API key opens, each with what stands before it: the own profile; publishing, changing and
 * deleting own skills; everything (registry spec §5).
 */
export const keyAccesses = ['read', 'publish', 'full'] as const

export type KeyAccess = (typeof keyAccesses)[number]

/** Whether a key with the access `held` opens a route that asks for `asked`. */
export const accessOpens = (held: KeyAccess, asked: KeyAccess): boolean =>
  keyAccesses.indexOf(held) >= keyAccesses.indexOf(asked)

/** Rate-limit classes: each has a window, a default limit and a subject that is counted. */
export type LimitClass =
  | 'read'
  | 'write'
  | 'download'
  | 'upload'
  | 'registration'
  | 'registrationAttempt'
  | 'health'
  | 'authorize'
  | 'resource'

/** Lets a route state its metadata with literal types and nothing misspelt. */
export const metadata = <const M extends RouteMetadata>(value: M): M => value

/** The metadata of a route. Throws if it has none. */
export function metadataOf({ metadata, path }: AppRoute): RouteMetadata {
  if (isMetadata(metadata)) return metadata
  throw new Error(`${path} has no metadata.`)
}

const isMetadata = (value: unknown): value is RouteMetadata =>
  typeof value === 'object' && value !== null && 'auth' in value && 'limit' in value
