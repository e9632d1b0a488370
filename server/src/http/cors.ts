import type { NextFunction, Request, RequestHandler, Response } from 'express'

/** Headers that scripts of other sites may read. */
export const exposedHeaders = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Skillpass-Begun',
  'Skillpass-Id',
  'Skillpass-Signature',
  'Skillpass-Verdict',
  'Skillpass-Version',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ')

/**
 * Opens an API to scripts of any site: the registry's, and the resource API. Nothing there depends
 * on cookies, so another site's script can do no more than its author could from a shell.
 */
export const allowAnyOrigin: RequestHandler = (req, res, next) =>
  allowOrigin(req, res, next, { origin: '*', methods: 'GET, POST, PUT, PATCH, DELETE' })

/** Opens an address to scripts of an origin, and answers the preflight of such a script. */
export function allowOrigin(
  req: Request,
  res: Response,
  next: NextFunction,
  { origin, methods }: { origin: string; methods: string },
): void {
  res.setHeader('Access-Control-Allow-Origin', origin)
  res.setHeader('Access-Control-Expose-Headers', exposedHeaders)
  if (req.method !== 'OPTIONS' || !req.headers['access-control-request-method']) {
    next()
    return
  }
  res.setHeader('Access-Control-Allow-Methods', methods)
  res.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Baggage, Content-Type, If-None-Match, Traceparent, Tracestate, X-Request-Id',
  )
  res.setHeader('Access-Control-Max-Age', '86400')
  res.status(204).end()
}
