/** HTTP properties of a call. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with parameters as `:name`, or as `*name` if the value may contain slashes. */
  readonly path: string
  /** Required credential, if any. */
  readonly auth?: 'apiKey' | 'client' | 'accessToken'
  /** The API key is optional. */
  readonly takesApiKey?: true
  /** The body is a form instead of JSON. */
  readonly form?: true
  /** The body is binary instead of JSON. */
  readonly bytes?: true
  /** The POST may be retried. */
  readonly idempotent?: true
  /**
   * Media types by status, without the errors of the service; null for no body. Default: 200 with
   * JSON.
   */
  readonly responses?: MediaTypes
  readonly pages?: Pages
}

type MediaTypes = Readonly<Record<number, string | null>>

/** Returns the media types of a route by status, without the errors of the service. */
export const mediaTypesOf = ({ responses = { 200: 'application/json' } }: Route): MediaTypes =>
  responses

/** Returns method and path, for example `GET /api/v1/skills/:id`. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** Pagination of a list. */
export interface Pages {
  /** Field that holds the items. */
  readonly list: string
  /** Query parameter that selects the next page. */
  readonly next: 'page' | 'next_page_token' | 'after'
}

/** Tree of routes with the same keys as a tree of calls. */
export type RoutesOf<Calls> = {
  readonly [K in keyof Calls]: Calls[K] extends (...input: never[]) => unknown
    ? Route
    : RoutesOf<Calls[K]>
}
