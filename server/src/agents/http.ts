import { allowsAccess } from '@skillpass/contract'
import type { AppRouter } from '@ts-rest/core'
import type { Request, RequestHandler, Response } from 'express'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import type { Reader } from '../catalogue/reader.ts'
import { fail } from '../errors/failure.ts'
import { createCallers, routeOf } from '../http/request.ts'
import { keepPrivate } from '../http/responses.ts'
import type { HandlersOf } from '../http/serve.ts'
import { forRequest, replaceParts } from '../runtime/context.ts'
import { type ClientSource, clientAddress, networkOf } from '../runtime/limits/client-address.ts'
import { hashSecret, parseSecret, type SecretHash } from '../secrets/secrets.ts'
import { findAgentByKey, type KeyHolder } from '../store/agents/api-keys.ts'
import {
  findRole,
  isLimited,
  type LimitedCaller,
  listMemberships,
} from '../store/agents/members.ts'
import type { RepositoryRecord } from '../store/registry/repositories.ts'
import { failBlocked, hasExpired, requireUnexpired } from './api-keys.ts'
import type { ReportQuotas } from './quotas.ts'

const callers = createCallers<KeyHolder>('UNAUTHORIZED', ({ id }) => ({ subject: id, agent: id }))

export const callerOf = callers.of

export type AgentHandlers<T extends AppRouter> = HandlersOf<T, RegistryContext, KeyHolder>

/**
 * Authenticates an API key (spec/registry.md#authentication) if the route requires one. The key
 * needs the route's access level. Blocked agents cannot write.
 */
export function authenticateAgent(ctx: RegistryContext): RequestHandler {
  return async (req, res, next) => {
    const { auth, access = 'full', limit } = routeOf(req).metadata
    if (auth !== 'apiKey') return next()
    const caller = (await holderOf(ctx, req)) ?? fail('UNAUTHORIZED')
    requireUnexpired(ctx, caller)
    callers.set(res, caller)
    if (access === 'full' && isLimited(caller) && !ofOwner.test(routeOf(req).path)) {
      fail('FORBIDDEN', 'This API key is limited. This route changes its agent, so send another.')
    }
    if (!allowsAccess(caller.access, access)) {
      fail(
        'FORBIDDEN',
        `This API key has ${caller.access} access, but this route requires ${access} access.`,
      )
    }
    const writes = limit === 'write' || limit === 'upload'
    if (writes && caller.blockedReason !== null) failBlocked(caller.blockedReason)
    next()
  }
}

/** Paths of routes with full access that check the caller's role, so limited keys may use them. */
const ofOwner = /^\/api\/v1\/(organizations\/:|repos\/:|trusted-publishers)/

/** Returns the agent whose active key a public read carries. Ignores failed lookups. */
export const findCallerId = (ctx: RegistryContext, req: WithHeaders): Promise<string | undefined> =>
  findKeyHolder(ctx, req).then(
    (holder) => holder?.id,
    () => undefined,
  )

type WithHeaders = ClientSource & Pick<Request, 'headersDistinct'>

/**
 * Shows the caller of each request the private skills that its key may read. Responses that depend
 * on them are never in shared caches. Mount before everything that reads the catalogue.
 * `isElsewhere` tells which paths belong to other services.
 */
export function identifyReader(
  ctx: RegistryContext,
  isElsewhere: (path: string) => boolean,
): RequestHandler {
  return async (req, res, next) => {
    if (isElsewhere(req.path)) return next()
    // Also without private skills, which a caller could tell otherwise.
    res.vary('Authorization')
    if (req.headers.authorization !== undefined) await readAsCaller(ctx, req, res)
    next()
  }
}

async function readAsCaller(ctx: RegistryContext, req: Request, res: Response) {
  const roleIn = (repository: RepositoryRecord) => findCallerRole(ctx, req, res, repository)
  replaceParts<RegistryContext>(req, { roleIn })
  const holder = ctx.catalogue.hasPrivate() ? await findKeyHolder(ctx, req) : undefined
  if (holder) showPrivate(ctx, req, res, await readerOf(ctx, holder))
}

/** Returns the role of a request's key for a repository. Keeps the response private with one. */
async function findCallerRole(
  ctx: RegistryContext,
  req: Request,
  res: Response,
  repository: RepositoryRecord,
) {
  const holder = await findKeyHolder(ctx, req)
  const role = holder && (await findRole(ctx.db.read, holder, repository))
  if (role) keepPrivate(res)
  return role
}

/** Returns what the agent of a key may read now. */
export async function readerOf(
  ctx: RegistryContext,
  { id, limitOwnerId: only, limitRepositoryId }: LimitedCaller,
): Promise<Reader> {
  const memberships = await listMemberships(ctx.db.read, id)
  const owners = [id, ...memberships.map(({ organizationId }) => organizationId)]
  return {
    owners: owners.filter((owner) => only === null || owner === only),
    repositoryId: limitRepositoryId ?? undefined,
  }
}

/** Lets the handlers of a request find what a reader may read, and keeps the response private. */
export function showPrivate(ctx: RegistryContext, req: Request, res: Response, reader: Reader) {
  const seen = ctx.catalogue.seenBy(reader)
  if (seen === ctx.catalogue) return
  replaceParts<RegistryContext>(req, { catalogue: seen })
  keepPrivate(res)
}

/** Whether a request reads private skills too. */
export const seesPrivate = (ctx: RegistryContext, req: Request): boolean =>
  forRequest(ctx, req).catalogue !== ctx.catalogue

/** Returns the agent whose active key a request carries, if any. */
export async function findKeyHolder(ctx: RegistryContext, req: WithHeaders) {
  const holder = await holderOf(ctx, req)
  return holder && !hasExpired(ctx, holder) ? holder : undefined
}

const holders = new WeakMap<WithHeaders, Promise<KeyHolder | undefined>>()

/** Returns the agent of a key that is not revoked but may have expired. Counts the use once. */
function holderOf(ctx: RegistryContext, req: WithHeaders): Promise<KeyHolder | undefined> {
  const found = holders.get(req) ?? findHolder(ctx, req)
  holders.set(req, found)
  return found
}

/** Makes an agent the caller of a request without a key, from a browser that it is signed in to. */
export async function actAs(ctx: RegistryContext, req: Request, res: Response, agent: KeyHolder) {
  holders.set(req, Promise.resolve(agent))
  ctx.counters.keyUsed(agent.keyId, networkOf(clientAddress(req)))
  await readAsCaller(ctx, req, res)
}

async function findHolder(ctx: RegistryContext, req: WithHeaders) {
  const key = apiKeyOf(req)
  const holder = key && (await findAgentByKey(ctx.db.read, { keyHash: key }))
  if (holder) ctx.counters.keyUsed(holder.keyId, networkOf(clientAddress(req)))
  return holder
}

/** Returns the hash of the request's API key, or undefined if it is missing or malformed. */
function apiKeyOf(req: WithHeaders): SecretHash | undefined {
  const [header = '', ...more] = req.headersDistinct.authorization ?? []
  // Node uses the first of two headers, but a proxy may have checked the other.
  const [, token = ''] = (more.length === 0 && /^Bearer +(\S+) *$/i.exec(header)) || []
  const secret = parseSecret('apiKey', token)
  return secret && hashSecret(secret)
}

const secondsOfDay = 86_400

/** Returns a function that adds quotas to `RateLimit-Policy` and `RateLimit` (IETF draft). */
export function quotaReporter(res: Response): ReportQuotas {
  const [policy, remaining] = ['RateLimit-Policy', 'RateLimit'].map((name) => res.getHeader(name))
  const listed = (first: typeof policy, items: string[]) =>
    [...(first === undefined ? [] : [first]), ...items].join(', ')
  // A retried transaction replaces the values of the previous attempt.
  return (states) => {
    const policies = states.map(({ name, limit }) => `"${name}";q=${limit};w=${secondsOfDay}`)
    const rest = states.map(({ name, remaining, resetSeconds }) => {
      return `"${name}";r=${remaining};t=${resetSeconds}`
    })
    res.setHeader('RateLimit-Policy', listed(policy, policies))
    res.setHeader('RateLimit', listed(remaining, rest))
  }
}
