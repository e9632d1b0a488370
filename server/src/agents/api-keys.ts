import type { ApiKeyCreation } from '@skillpass/contract'
import type { z } from 'zod'
import { type AuditEvent, agentParty, record as recordAct } from '../audit/record.ts'
import type { RegistryContext } from '../catalogue/catalogue.ts'
import { requireRole } from '../catalogue/roles.ts'
import type { Db } from '../db/open.ts'
import { fail, refuseField } from '../errors/failure.ts'
import type { Context, OperatorContext } from '../runtime/context.ts'
import { isoTime } from '../runtime/time.ts'
import { createSecret, hashSecret, secretPrefix } from '../secrets/secrets.ts'
import { type AgentRecord, findAgentByUsername } from '../store/agents/agents.ts'
import * as store from '../store/agents/api-keys.ts'
import type { LimitedCaller, MemberRole } from '../store/agents/members.ts'
import { findRepositoryAt } from '../store/registry/repositories.ts'

/** Maximum number of revoked or expired keys in a list. */
const endedShown = 100

/** Lists the agent's active keys and the latest revoked or expired ones, newest first. */
export const listApiKeys = (ctx: RegistryContext, { id }: { id: string }) =>
  store.findApiKeys(ctx.db.read, id, { now: ctx.steadyNow(), ended: endedShown })

/** Returns the owner or repository that limits the key of the caller, or null. */
export const findKeyLimit = (ctx: RegistryContext, { keyId }: store.KeyHolder) =>
  store.findLimit(ctx.db.read, keyId)

/** Creates a key of the agent. Its plain text is only in this response. */
export async function createApiKey(
  ctx: RegistryContext,
  caller: store.KeyHolder,
  { name, access, expiresAt, limitedTo }: z.output<typeof ApiKeyCreation>,
) {
  const key = createSecret('apiKey', ctx.random)
  const record = {
    id: ctx.random.uuid(),
    name,
    keyPrefix: secretPrefix(key),
    access,
    expiresAt: expiryOf(ctx, caller, expiresAt ?? undefined),
    isRegistration: 0 as const,
    createdAt: ctx.clock.now(),
  }
  const limits = await ctx.db.write(async (trx) => {
    await store.lockAgent(trx, caller.id)
    await requireLiveCaller(ctx, trx, caller)
    const limits = limitedTo
      ? await findLimits(trx, caller, limitedTo)
      : { ...store.unlimited, limitedTo: null }
    const live = await store.listLiveKeys(trx, caller.id, ctx.steadyNow())
    const { apiKeysPerAgent } = ctx.config.quotas
    if (apiKeysPerAgent > 0 && live.length >= apiKeysPerAgent) {
      fail(
        'CONFLICT',
        `You have ${live.length} active API keys, which is the limit. Revoke one first.`,
      )
    }
    const secret = { keyHash: hashSecret(key), sourceCommit: null }
    await store.insertApiKey(trx, { ...record, ...limits, ...secret, agentId: caller.id })
    const [who, whom] = [agentParty(caller.id), { kind: 'api-key', id: record.id } as const]
    await recordAct(ctx, trx, { action: 'api-key.created', who, whom })
    return limits
  })
  return { ...record, ...limits, key }
}

/** Returns the limits of a key to an owner or a repository, in which the caller needs a role. */
export async function findLimits(
  trx: Db,
  caller: LimitedCaller,
  address: string,
  least: MemberRole = 'reader',
) {
  const failStranger = () => fail('NOT_FOUND', `You are not a member of ${address}.`)
  const [owner = '', name] = address.split('/')
  const repository = name === undefined ? undefined : await findRepositoryAt(trx, owner, name)
  const agent = name === undefined ? await findAgentByUsername(trx, owner) : undefined
  const found = repository ?? (agent && { agentId: agent.id, owner: agent.username })
  if (!found) return failStranger()
  await requireRole(trx, caller, found, least, failStranger)
  return {
    ownerId: found.agentId,
    limitOwnerId: repository ? null : found.agentId,
    limitRepositoryId: repository?.id ?? null,
    limitedTo: repository ? `${repository.owner}/${repository.name}` : found.owner,
  }
}

const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Returns when a new key expires, in ms: by default with the key that creates it, and never later.
 */
function expiryOf(
  ctx: RegistryContext,
  { expiresAt: last }: store.KeyHolder,
  requested: string | undefined,
) {
  if (requested === undefined) return last
  const refuse = (message: string) => refuseField('body', 'expiresAt', message)
  const expiresAt = Date.parse(requested)
  if (!(expiresAt > ctx.steadyNow())) refuse('must be in the future')
  // With an offset, the time may exceed year 9999, the last one with four digits in ISO 8601.
  if (expiresAt > lastInstant) refuse('must be before the year 10000')
  if (last !== null && expiresAt > last) {
    fail('FORBIDDEN', `This API key expires at ${isoTime(last)}. Its new keys cannot expire later.`)
  }
  return expiresAt
}

/**
 * Revokes a key of the agent. Idempotent. Only the key from registration can revoke itself, so that
 * a leaked key cannot lock out the owner.
 */
export async function revokeApiKey(
  ctx: RegistryContext,
  caller: store.KeyHolder,
  id: string,
  others: OtherKeys | undefined,
) {
  const revoked = await ctx.db.write(async (trx) => {
    await store.lockAgent(trx, caller.id)
    await requireLiveCaller(ctx, trx, caller)
    const key = await store.findApiKey(trx, caller.id, id)
    if (!key) fail('NOT_FOUND', 'You have no API key with this id.')
    if (key.isRegistration && id !== caller.keyId) {
      fail('FORBIDDEN', 'Only the API key from registration can revoke itself.')
    }
    const ending = await listEndingKeys(trx, key, others, ctx.steadyNow())
    return revokeKeys(ctx, trx, ending, { who: agentParty(caller.id) })
  })
  return { id, revoked: true as const, alsoRevoked: revoked.filter((key) => key !== id) }
}

export type OtherKeys = 'keep' | 'revoke'

/**
 * Lists the keys to revoke together with a key. For the key from registration, the caller must
 * choose what happens to the other active keys of the agent, otherwise throws CONFLICT.
 */
export async function listEndingKeys(
  trx: Db,
  { id, agentId, isRegistration }: store.OwnedKey,
  others: OtherKeys | undefined,
  now: number,
): Promise<string[]> {
  if (!isRegistration) {
    if (others !== 'revoke') return [id]
    refuseField('query', 'others', 'can be revoke only for the API key from registration')
  }
  const live = (await store.listLiveKeys(trx, agentId, now)).filter((key) => key.id !== id)
  if (others === undefined && live.length > 0) {
    fail(
      'CONFLICT',
      `This API key is from registration. Set others to keep or revoke, to keep or revoke the other active keys (${live.length}).`,
    )
  }
  return [id, ...(others === 'revoke' ? live.map((key) => key.id) : [])]
}

/**
 * Revokes every key of the agent except the caller's and the one from registration. Returns the ids
 * of the revoked keys.
 */
export async function revokeAllApiKeys(ctx: RegistryContext, caller: store.KeyHolder) {
  return ctx.db.write(async (trx) => {
    await store.lockAgent(trx, caller.id)
    await requireLiveCaller(ctx, trx, caller)
    const live = await store.listLiveKeys(trx, caller.id, ctx.steadyNow())
    const ending = live.filter(({ id, isRegistration }) => id !== caller.keyId && !isRegistration)
    const ids = ending.map(({ id }) => id)
    return revokeKeys(ctx, trx, ids, { who: agentParty(caller.id) })
  })
}

/** Revokes keys, writes the audit log, and returns those that were not revoked before. */
export async function revokeKeys(
  ctx: OperatorContext,
  trx: Db,
  ids: readonly string[],
  by: Pick<AuditEvent, 'who' | 'note'>,
): Promise<string[]> {
  const revoked = await store.revokeApiKeys(trx, ids, ctx.clock.now())
  for (const id of revoked) {
    await recordAct(ctx, trx, { ...by, action: 'api-key.revoked', whom: { kind: 'api-key', id } })
  }
  return revoked
}

/**
 * Rechecks the caller of a write, because the key may have been revoked or expired, or the agent
 * blocked, while the body was sent. Every write calls this in its transaction, after taking the
 * lock that serializes it. Returns the current agent. Throws UNAUTHORIZED or FORBIDDEN.
 */
export async function requireLiveCaller(
  ctx: Context,
  trx: Db,
  { keyId }: Pick<store.KeyHolder, 'keyId'>,
): Promise<AgentRecord> {
  const current = await store.lockKeyHolder(trx, { keyId })
  if (!current || current.revokedAt !== null) fail('UNAUTHORIZED')
  requireUnexpired(ctx, current)
  if (current.blockedReason !== null) failBlocked(current.blockedReason)
  return current
}

export function requireUnexpired(ctx: Context, key: Pick<store.KeyHolder, 'expiresAt'>): void {
  if (hasExpired(ctx, key)) fail('UNAUTHORIZED', 'This API key has expired. Use another one.')
}

export const hasExpired = (
  { steadyNow }: Context,
  { expiresAt }: Pick<store.KeyHolder, 'expiresAt'>,
): boolean => expiresAt !== null && expiresAt <= steadyNow()

export function failBlocked(reason: string): never {
  fail('FORBIDDEN', `The operator has blocked this agent. Reason: ${reason}`)
}
