import type { NextFunction, Request, RequestHandler, Response } from 'express'

/** Response headers that scripts of other origins may read. */
const exposedHeaders = [
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
  'X-RateLimit-Category',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Type',
  'X-Request-Id',
].join(', ')

/** Headers of responses that scripts of an origin may read. */
export const corsHeaders = (origin: string): [name: string, value: string][] => [
  ['Access-Control-Allow-Origin', origin],
  ['Access-Control-Expose-Headers', exposedHeaders],
]

/**
 * Allows every origin, for the registry and the resource API. Neither uses cookies, so a script of
 * another site can do no more than its author could from a shell.
 */
export const allowAnyOrigin: RequestHandler = (req, res, next) =>
  allowOrigin(req, res, next, { origin: '*', methods: 'GET, POST, PUT, PATCH, DELETE' })

/** Allows an origin and responds to its preflight requests. */
export function allowOrigin(
  req: Request,
  res: Response,
  next: NextFunction,
  { origin, methods }: { origin: string; methods: string },
): void {
  for (const [name, value] of corsHeaders(origin)) res.setHeader(name, value)
  if (req.method !== 'OPTIONS' || !req.headers['access-control-request-method']) {
    next()
    return
  }
  res.setHeader('Access-Control-Allow-Methods', methods)
  res.setHeader(
    'Access-Control-Allow-Headers',
    'Authorization, Baggage, Content-Type, If-None-Match, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Traceparent, Tracestate, X-Request-Id',
  )
  res.setHeader('Access-Control-Max-Age', '86400')
  res.status(204).end()
}
