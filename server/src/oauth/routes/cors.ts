import { dirname } from 'node:path/posix'
import { oauthContract } from '@skillpass/contract'
import type { RequestHandler } from 'express'
import { hasOrigin } from '../../apps/store/clients.ts'
import { allowOrigin } from '../../http/cors.ts'
import type { OAuthContext } from '../context.ts'

const metadataFolder = `${dirname(oauthContract.metadata.path)}/`
const methods = 'GET, POST'

/**
 * Allows cross-origin requests to the OAuth endpoints from origins of registered redirect URIs, and
 * to the metadata from all origins. Pages for people are excluded, and cookies are never allowed.
 */
export const allowRegisteredOrigins =
  ({ db }: OAuthContext, isPage: (path: string) => boolean): RequestHandler =>
  async (req, res, next) => {
    // Metadata is cached publicly, so allow every origin.
    if (req.path.startsWith(metadataFolder)) {
      return allowOrigin(req, res, next, { origin: '*', methods })
    }
    const { origin } = req.headers
    if (origin === undefined || isPage(req.path)) return next()
    res.vary('Origin')
    if (!(await hasOrigin(db.read, origin))) return next()
    allowOrigin(req, res, next, { origin, methods })
  }
