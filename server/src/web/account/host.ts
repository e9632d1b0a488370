import type { RequestHandler } from 'express'
import type { Config } from '../../config/config.ts'
import { fail } from '../../errors/failure.ts'

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/**
 * Protects account pages from DNS rebinding: throws 400 unless the Host header names a configured
 * host or a loopback address. Ports are ignored, since proxies drop them.
 */
export function requireOwnHost({ apiUrl, authUrl, baseUrl }: Config): RequestHandler {
  const own = new Set([apiUrl, authUrl, baseUrl].map((address) => new URL(address).hostname))
  return (req, _res, next) => {
    const name = req.hostname?.toLowerCase() ?? ''
    if (!own.has(name) && !loopback.test(name)) {
      fail(400, `This page is available only at ${authUrl}. Open it there.`)
    }
    next()
  }
}
