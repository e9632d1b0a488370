import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { hasOrigin } from '../apps/store/clients.ts'
import type { Context } from '../context/context.ts'
import { isAccountPath } from '../web/account/path.ts'

const exposed = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
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
export const allowAnyOrigin: RequestHandler = (req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*')
  answerPreflight(req, res, next, 'GET, POST, PUT, PATCH, DELETE')
}

/**
 * Opens the endpoints of the authorization service to scripts of the sites that an app has
 * registered, and its metadata to all; never a page for people, and never with cookies.
 */
export function allowRegisteredOrigins(ctx: Context): RequestHandler {
  return async (req, res, next) => {
    const { origin } = req.headers
    if (req.path.startsWith('/.well-known/')) {
      // Whoever asks: caches keep it, and hand to scripts what they kept for others.
      res.setHeader('Access-Control-Allow-Origin', '*')
    } else {
      if (origin === undefined || isAccountPath(req.path)) return next()
      res.vary('Origin')
      if (!(await hasOrigin(ctx.db.read, origin))) return next()
      res.setHeader('Access-Control-Allow-Origin', origin)
    }
    answerPreflight(req, res, next, 'GET, POST')
  }
}

/** Takes the permission back where the site is not one of the app's that has signed in. */
export async function refuseForeignOrigin(
  ctx: Context,
  origin: string | undefined,
  clientId: string,
  res: Response,
): Promise<void> {
  if (origin !== undefined && !(await hasOrigin(ctx.db.read, origin, clientId))) {
    res.removeHeader('Access-Control-Allow-Origin')
  }
}

function answerPreflight(req: Request, res: Response, next: NextFunction, methods: string): void {
  res.setHeader('Access-Control-Expose-Headers', exposed)
  if (req.method !== 'OPTIONS' || !req.headers['access-control-request-method']) {
    next()
    return
  }
  res.setHeader('Access-Control-Allow-Methods', methods)
  res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type, If-None-Match')
  res.setHeader('Access-Control-Max-Age', '86400')
  res.status(204).end()
}
