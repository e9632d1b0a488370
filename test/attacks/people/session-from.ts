import { openSession, type Session } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'

/** A browser at an address, as the proxy in front of the servers names it; they are asked in turn. */
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
