import { accessOpens, type KeyAccess } from '@skillpass/contract'
import type { Request, RequestHandler, Response } from 'express'
import type { AppContext as Context } from '../context.ts'
import { fail } from '../errors/failure.ts'
import { clientAddress, networkOf } from '../limits/client-address.ts'
import { failBlocked, hasExpired, refuseExpired } from '../registry/access/key-standing.ts'
import { findAgentByKey } from '../registry/store/api-keys.ts'
import { hashSecret, parseSecret, type SecretHash } from '../secrets/secrets.ts'
import { setCaller } from './caller.ts'
import { authenticateClient } from './client-auth.ts'
import { routeOf } from './route.ts'
import { authenticateToken } from './token-auth.ts'

/** Asks for the credential that the route's metadata names. */
export function authenticate(ctx: Context): RequestHandler {
  return (req, res, next) => {
    const { auth, access, limit, scopes } = routeOf(req).metadata
    if (auth === 'none') return next()
    if (auth === 'apiKey') {
      return askForKey(ctx, req, res, { access, isWrite: limit === 'write' }).then(() => next())
    }
    if (auth === 'client') return authenticateClient(ctx, req, res).then(() => next())
    return authenticateToken(ctx, req, res, scopes).then(() => next())
  }
}

/** What a route asks of an API key. */
interface KeyNeed {
  readonly access: KeyAccess | undefined
  readonly isWrite: boolean
}

/**
 * An agent's API key (registry spec §5), which must open as much as `access` says. An agent that the
 * operator has blocked writes nothing.
 */
async function askForKey(ctx: Context, req: Request, res: Response, need: KeyNeed) {
  const { access = 'full', isWrite } = need
  const caller = (await holderOf(ctx, req)) ?? fail('UNAUTHORIZED')
  refuseExpired(ctx, caller)
  setCaller(res, caller)
  ctx.tally.keyUsed(caller.keyId, networkOf(clientAddress(req)))
  if (!accessOpens(caller.access, access)) {
    fail('FORBIDDEN', `This API key has ${caller.access} access; ${access} access is needed here.`)
  }
  if (isWrite && caller.blockedReason !== null) failBlocked(caller.blockedReason)
}

/** The agent who reads with a live key where none is needed; a key that cannot be looked up now is none. */
export const findReader = (
  ctx: Pick<Context, 'db' | 'steadyNow'>,
  req: WithHeaders,
): Promise<string | undefined> =>
  findKeyHolder(ctx, req).then(
    (holder) => holder?.id,
    () => undefined,
  )

type WithHeaders = Pick<Request, 'headersDistinct'>

/** The agent whose live key a request bears, if it does. */
export async function findKeyHolder(ctx: Pick<Context, 'db' | 'steadyNow'>, req: WithHeaders) {
  const holder = await holderOf(ctx, req)
  return holder && !hasExpired(ctx, holder) ? holder : undefined
}

/** The agent whose key a request bears; the key is not revoked and may have expired. */
async function holderOf(ctx: Pick<Context, 'db'>, req: WithHeaders) {
  const key = apiKeyOf(req)
  return key && findAgentByKey(ctx.db.read, key)
}

/** The hash of the API key that came with a request; undefined without one of the right form. */
function apiKeyOf(req: WithHeaders): SecretHash | undefined {
  const [header = '', ...more] = req.headersDistinct.authorization ?? []
  // Of two, Node keeps the first; a proxy may have checked the other.
  const [, token = ''] = (more.length === 0 && /^Bearer +(\S+) *$/i.exec(header)) || []
  const secret = parseSecret('apiKey', token)
  return secret && hashSecret(secret)
}
