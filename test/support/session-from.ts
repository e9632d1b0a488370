import { openSession, type Session, signIn } from './people.ts'
import type { TestServer } from './server.ts'

/**
 * Returns the servers as a client reaches them whose address is set in `X-Forwarded-For`, in turns.
 */
function reachedFrom(address: () => string, ...servers: readonly Pick<TestServer, 'http'>[]) {
  let sent = 0
  const http: TestServer['http'] = (path, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-forwarded-for', address())
    const server = servers[sent++ % servers.length]
    if (!server) throw new Error('There is no server.')
    return server.http(path, { ...init, headers })
  }
  return { http }
}

/** Opens a browser at an address. Its requests alternate between the servers. */
export const sessionFrom = (...from: Parameters<typeof reachedFrom>): Session =>
  openSession(reachedFrom(...from))

/** Signs a user in from an address. */
export const signInFrom = (
  address: string,
  server: Pick<TestServer, 'http'>,
  credentials: { email: string; password: string },
): Promise<Session> =>
  signIn(
    reachedFrom(() => address, server),
    credentials,
  )
