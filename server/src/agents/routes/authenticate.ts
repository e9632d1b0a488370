import { accessOpens } from '@skillpass/contract'
import type { Request, RequestHandler } from 'express'
import type { RegistryContext } from '../../discovery/context.ts'
import { fail } from '../../errors/failure.ts'
import { createCallers } from '../../http/caller.ts'
import { routeOf } from '../../http/route.ts'
import { clientAddress, networkOf } from '../../limits/client-address.ts'
import { hashSecret, parseSecret, type SecretHash } from '../../secrets/secrets.ts'
import { failBlocked, hasExpired, refuseExpired } from '../key-standing.ts'
import { findAgentByKey, type KeyHolder } from '../store/api-keys.ts'

const callers = createCallers<KeyHolder>('UNAUTHORIZED', ({ id }) => ({ subject: id, agent: id }))

/** The agent behind a request, with the key it came with. */
export const callerOf = callers.of

/**
 * An agent's API key (registry spec §5), where a route asks for one; it must open as much as the
 * route says. An agent that the operator has blocked writes nothing.
 */
export function authenticateAgent(ctx: RegistryContext): RequestHandler {
  return async (req, res, next) => {
    const { auth, access = 'full', limit } = routeOf(req).metadata
    if (auth !== 'apiKey') return next()
    const caller = (await holderOf(ctx, req)) ?? fail('UNAUTHORIZED')
    refuseExpired(ctx, caller)
    callers.set(res, caller)
    ctx.counters.keyUsed(caller.keyId, networkOf(clientAddress(req)))
    if (!accessOpens(caller.access, access)) {
      fail(
        'FORBIDDEN',
        `This API key has ${caller.access} access; ${access} access is needed here.`,
      )
    }
    const writes = limit === 'write' || limit === 'upload'
    if (writes && caller.blockedReason !== null) failBlocked(caller.blockedReason)
    next()
  }
}

/** The agent who reads with a live key where none is needed; a key that cannot be looked up now is none. */
export const findReader = (ctx: RegistryContext, req: WithHeaders): Promise<string | undefined> =>
  findKeyHolder(ctx, req).then(
    (holder) => holder?.id,
    () => undefined,
  )

type WithHeaders = Pick<Request, 'headersDistinct'>

/** The agent whose live key a request bears, if it does. */
export async function findKeyHolder(ctx: RegistryContext, req: WithHeaders) {
  const holder = await holderOf(ctx, req)
  return holder && !hasExpired(ctx, holder) ? holder : undefined
}

/** The agent whose key a request bears; the key is not revoked and may have expired. */
async function holderOf(ctx: RegistryContext, req: WithHeaders) {
  const key = apiKeyOf(req)
  return key && findAgentByKey(ctx.db.read, { keyHash: key })
}

/** The hash of the API key that came with a request; undefined without one of the right form. */
function apiKeyOf(req: WithHeaders): SecretHash | undefined {
  const [header = '', ...more] = req.headersDistinct.authorization ?? []
  // Node keeps the first of two; a proxy may have checked the other.
  const [, token = ''] = (more.length === 0 && /^Bearer +(\S+) *$/i.exec(header)) || []
  const secret = parseSecret('apiKey', token)
  return secret && hashSecret(secret)
}
