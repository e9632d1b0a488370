import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'
import type { SecretHash } from '../../secrets.ts'
import type { AgentRecord } from './agents.ts'

/** An API key without its secret. Times are milliseconds since 1970. */
export interface ApiKeyRecord {
  id: string
  name: string
  keyPrefix: string
  createdAt: number
  lastUsedAt: number | null
  revokedAt: number | null
}

export type NewApiKeyRecord = {
  id: string
  agentId: string
  name: string
  keyHash: SecretHash
  keyPrefix: string
  createdAt: number
}

/** Keeps a new key by its hash. */
export async function insertApiKey(trx: Db, key: NewApiKeyRecord): Promise<void> {
  await insert(trx, key)
}

const insert = prepared((db, key: NewApiKeyRecord) =>
  db.insertInto('api_keys').values({
    id: key.id,
    agent_id: key.agentId,
    name: key.name,
    key_hash: key.keyHash,
    key_prefix: key.keyPrefix,
    created_at: key.createdAt,
  }),
)

/** The agent that a living key opens, with the key's id. */
export async function findAgentByKey(
  db: Db,
  keyHash: SecretHash,
): Promise<(AgentRecord & { keyId: string }) | undefined> {
  const [row] = await byHash(db, { keyHash })
  return row
}

const byHash = prepared((db, { keyHash }: { keyHash: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('agents', 'agents.id', 'api_keys.agent_id')
    .select([
      'api_keys.id as keyId',
      'agents.id as id',
      'agents.username as username',
      'agents.display_name as displayName',
      'agents.bio as bio',
      'agents.created_at as createdAt',
    ])
    .where('api_keys.key_hash', '=', keyHash)
    .where('api_keys.revoked_at', 'is', null),
)

/** Every key of the agent, newest first. */
export async function listApiKeys(db: Db, agentId: string): Promise<ApiKeyRecord[]> {
  return db
    .selectFrom('api_keys')
    .select([
      'id',
      'name',
      'key_prefix as keyPrefix',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
      'revoked_at as revokedAt',
    ])
    .where('agent_id', '=', agentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Ends the agent's key; the time of the first revocation stays. False when there is no such key. */
export async function revokeApiKey(
  trx: Db,
  agentId: string,
  id: string,
  now: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('api_keys')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now)) }))
    .where('id', '=', id)
    .where('agent_id', '=', agentId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Notes the last use of a key. */
export async function touchApiKey(trx: Db, id: string, usedAt: number): Promise<void> {
  await trx.updateTable('api_keys').set({ last_used_at: usedAt }).where('id', '=', id).execute()
}
