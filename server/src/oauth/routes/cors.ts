import { dirname } from 'node:path/posix'
import { oauthContract } from '@skillpass/contract'
import type { RequestHandler } from 'express'
import { hasOrigin } from '../../apps/store/clients.ts'
import { allowOrigin } from '../../http/cors.ts'
import type { OAuthContext } from '../context.ts'

const metadataFolder = `${dirname(oauthContract.metadata.path)}/`
const methods = 'GET, POST'

/**
 * Opens the endpoints of the authorization service to scripts of the sites that an app has
 * registered, and its metadata to all; never a page for people, and never with cookies.
 */
export function allowRegisteredOrigins(
  { db }: OAuthContext,
  isPage: (path: string) => boolean,
): RequestHandler {
  return async (req, res, next) => {
    // Whoever asks: caches keep it, and hand to scripts what they kept for others.
    if (req.path.startsWith(metadataFolder)) {
      return allowOrigin(req, res, next, { origin: '*', methods })
    }
    const { origin } = req.headers
    if (origin === undefined || isPage(req.path)) return next()
    res.vary('Origin')
    if (!(await hasOrigin(db.read, origin))) return next()
    allowOrigin(req, res, next, { origin, methods })
  }
}
