import type { RequestHandler } from 'express'

const exposed = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ')

/**
 * Opens the registry's API to scripts of any site. Nothing there depends on cookies, so another
 * site's script can do no more than its author could from a shell.
 */
export const allowAnyOrigin: RequestHandler = (req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*')
  res.setHeader('Access-Control-Expose-Headers', exposed)
  if (req.method !== 'OPTIONS' || !req.headers['access-control-request-method']) return next()
  res.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE')
  res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match')
  res.setHeader('Access-Control-Max-Age', '86400')
  res.status(204).end()
}
