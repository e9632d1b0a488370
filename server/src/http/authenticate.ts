import type { Request, RequestHandler, Response } from 'express'
import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { findAgentByKey } from '../registry/store/api-keys.ts'
import { hashSecret, parseSecret } from '../secrets.ts'
import { setCaller } from './caller.ts'
import { routeOf } from './route.ts'

/** Asks for the credential that the route's metadata names (registry spec §5). */
export function authenticate(ctx: Context): RequestHandler {
  return (req, res, next) => {
    if (routeOf(req).metadata.auth === 'none') return next()
    return askForKey(ctx, req, res).then(() => next())
  }
}

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
