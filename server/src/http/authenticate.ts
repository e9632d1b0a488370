import type { Request, RequestHandler, Response } from 'express'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { findAgentByKey } from '../registry/store/api-keys.ts'
import { hashSecret, parseSecret } from '../secrets.ts'
import { setCaller } from './caller.ts'
import { authenticateClient } from './client-auth.ts'
import { routeOf } from './route.ts'
import { authenticateToken } from './token-auth.ts'

/** Asks for the credential that the route's metadata names. */
export function authenticate(ctx: Context): RequestHandler {
  return (req, res, next) => {
    const { auth, scopes } = routeOf(req).metadata
    if (auth === 'none') return next()
    if (auth === 'apiKey') return askForKey(ctx, req, res).then(() => next())
    if (auth === 'client') return authenticateClient(ctx, req, res).then(() => next())
    return authenticateToken(ctx, req, res, scopes).then(() => next())
  }
}

/** An agent's API key (registry spec §5). */
async function askForKey(ctx: Context, req: Request, res: Response) {
  const [header = '', ...more] = req.headersDistinct.authorization ?? []
  // Of two, Node keeps the first; a proxy may have checked the other.
  const [, token = ''] = (more.length === 0 && /^Bearer +(\S+) *$/i.exec(header)) || []
  const secret = parseSecret('apiKey', token)
  const caller = secret && (await findAgentByKey(ctx.db.read, hashSecret(secret)))
  if (!caller) {
    res.setHeader('WWW-Authenticate', 'Bearer realm="skillpass"')
    fail('UNAUTHORIZED')
  }
  setCaller(res, caller)
  ctx.tally.keyUsed(caller.keyId)
}
