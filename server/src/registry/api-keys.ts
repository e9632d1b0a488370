import type { Context } from '../context.ts'
import { fail } from '../errors.ts'
import { createSecret, hashSecret, secretPrefix } from '../secrets.ts'
import { timestamp } from './present.ts'
import type { AgentRecord } from './store/agents.ts'
import * as store from './store/api-keys.ts'

/** Every key of the agent, newest first, without the secrets. */
export async function listApiKeys(ctx: Context, agent: AgentRecord) {
  const keys = await store.listApiKeys(ctx.db.read, agent.id)
  const data = keys.map((key) => ({
    ...key,
    createdAt: timestamp(key.createdAt),
    lastUsedAt: key.lastUsedAt === null ? null : timestamp(key.lastUsedAt),
    revokedAt: key.revokedAt === null ? null : timestamp(key.revokedAt),
  }))
  return { data, total: data.length }
}

/** Makes a key, whose plain text exists in this answer alone. */
export async function createApiKey(ctx: Context, agent: AgentRecord, name: string) {
  const key = createSecret('apiKey', ctx.random)
  const record = {
    id: ctx.random.uuid(),
    name,
    keyPrefix: secretPrefix(key),
    createdAt: ctx.clock.now(),
  }
  await ctx.db.write((trx) =>
    store.insertApiKey(trx, { ...record, agentId: agent.id, keyHash: hashSecret(key) }),
  )
  return { ...record, key, createdAt: timestamp(record.createdAt) }
}

/** Ends a key of the agent at once; ending it again changes nothing. */
export async function revokeApiKey(ctx: Context, agent: AgentRecord, id: string) {
  const now = ctx.clock.now()
  const revoked = await ctx.db.write((trx) => store.revokeApiKey(trx, agent.id, id, now))
  if (!revoked) fail('NOT_FOUND', 'You have no API key with this id.')
  return { id, revoked: true as const }
}
