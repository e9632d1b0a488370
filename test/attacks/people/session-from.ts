import { openSession, type Session } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

/**
 * Returns a browser whose address is set in `X-Forwarded-For`. Its requests alternate between the
 * servers.
 */
export function sessionFrom(address: () => string, ...servers: readonly TestServer[]): Session {
  let sent = 0
  return openSession({
    http: (path, init) => {
      const headers = new Headers(init?.headers)
      headers.set('x-forwarded-for', address())
      const server = servers[sent++ % servers.length]
      if (!server) throw new Error('There is no server.')
      return server.http(path, { ...init, headers })
    },
  })
}
