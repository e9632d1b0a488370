/** How a call goes over the wire, and what may come back. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` in the place of each parameter, `*name` where it may hold slashes. */
  readonly path: string
  /** The credential that it needs; none where nothing is said. */
  readonly auth?: 'apiKey' | 'client' | 'accessToken'
  /** An API key is sent along where there is one. */
  readonly takesApiKey?: true
  /** The body is a form, not JSON. */
  readonly form?: true
  /** The body is bytes, not JSON. */
  readonly bytes?: true
  /** A POST that may be repeated all the same. */
  readonly idempotent?: true
  /**
   * Media types by status, null where there is no body; JSON with 200 where nothing is said. Errors of the
   * service are not among them.
   */
  readonly answers?: Answers
  /** Which field of a page holds the items, and which leads to the next. */
  readonly pages?: Pages
}

type Answers = Readonly<Record<number, string | null>>

/** The answers of a route that are no errors of the service. */
export const answersOf = ({ answers = { 200: 'application/json' } }: Route): Answers => answers

/** `GET /api/v1/skills/:id`. */
export const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** How the pages of a list are told apart. */
export interface Pages {
  readonly list: string
  readonly next: 'page' | 'next_page_token'
}

/** A tree of routes in the shape of a tree of calls. */
export type RoutesOf<Calls> = {
  readonly [K in keyof Calls]: Calls[K] extends (...input: never[]) => unknown
    ? Route
    : RoutesOf<Calls[K]>
}
