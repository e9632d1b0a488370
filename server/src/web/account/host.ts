import type { Request, RequestHandler } from 'express'
import type { Config } from '../../config/config.ts'
import { fail } from '../../errors/failure.ts'

type Addresses = Pick<Config, 'apiUrl' | 'authUrl' | 'baseUrl'>

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Protects account pages from DNS rebinding: throws 400 unless the Host header names a configured
 * host or a loopback address. Ports are ignored, since proxies drop them.
 */
export function requireOwnHost({ apiUrl, authUrl, baseUrl }: Addresses): RequestHandler {
  const own = new Set([apiUrl, authUrl, baseUrl].map((address) => new URL(address).hostname))
  return (req, _res, next) => {
    const name = hostnameOf(req)
    if (!own.has(name) && !loopback.test(name)) {
      fail(400, `This page is available only at ${authUrl}. Open it there.`)
    }
    next()
  }
}

function hostnameOf({ host }: Pick<Request, 'host'>): string {
  const address = `http://${host ?? ''}`
  return URL.canParse(address) ? new URL(address).hostname : ''
}
