import { type Answer, read } from './oauth-client.ts'
import type { TestServer } from './server.ts'
import { ask } from './skills.ts'

/** A request of the resource API. */
export interface Call {
  readonly method?: string
  /** A string is sent as it is, other values as JSON. */
  readonly body?: unknown
}

/** Sends a request with an access token (RFC 6750 §2.1). */
export function callWith(
  server: Pick<TestServer, 'http'>,
  accessToken: unknown,
  path: string,
  { method = 'GET', body }: Call = {},
): Promise<Answer> {
  return read(ask(server, method, path, { key: String(accessToken), body }))
}

/** Formats an error as its status, code and invalid fields. */
export function refused({ status, body }: Answer): string {
  const errors = Array.isArray(body.errors) ? body.errors : []
  const fields = errors.map((error: { field: string }) => error.field)
  return [status, body.code, ...fields].join(' ')
}
