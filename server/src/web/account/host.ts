import type { Request, RequestHandler } from 'express'
import type { Config } from '../../config/config.ts'
import { fail } from '../../errors/failure.ts'

type Addresses = Pick<Config, 'apiUrl' | 'authUrl' | 'baseUrl'>

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Refuses pages for signed-in people under any host but the configured ones and this machine's own names.
 * Another name that leads here is somebody else's: by rebinding it, its owner could read the pages. The port
 * does not count: proxies drop it.
 */
export function requireOwnHost({ apiUrl, authUrl, baseUrl }: Addresses): RequestHandler {
  const own = new Set([apiUrl, authUrl, baseUrl].map((address) => new URL(address).hostname))
  return (req, _res, next) => {
    const name = hostnameOf(req)
    if (!own.has(name) && !loopback.test(name)) {
      fail(400, `This page is only at ${authUrl}. Open it there.`)
    }
    next()
  }
}

function hostnameOf({ host }: Pick<Request, 'host'>): string {
  const address = `http://${host ?? ''}`
  return URL.canParse(address) ? new URL(address).hostname : ''
}
