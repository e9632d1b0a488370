/**
 * What a route declares about itself beyond its schemas. The server's middleware, the OpenAPI
 * document and the client read it from here; no handler repeats it.
 */
export interface RouteMetadata {
  /** Credential that the route asks for: none, or an agent's API key as a Bearer token. */
  readonly auth: 'none' | 'apiKey'
  /** Rate-limit class, see `limits.ts`. */
  readonly limit: LimitClass
  /** Heading under which the documentation lists the route. */
  readonly tag: string
  /**
   * True where sending the same request again leaves the same state, so that a client may repeat it
   * after a failure. GET, PUT and DELETE are so by RFC 9110; a POST says it here.
   */
  readonly idempotent?: boolean
}

/** Rate-limit classes: each has a window, a default limit and a subject that is counted. */
export type LimitClass = 'read' | 'write' | 'registration' | 'health'

/** Lets a route state its metadata with literal types and nothing misspelt. */
export const metadata = <const M extends RouteMetadata>(value: M): M => value
