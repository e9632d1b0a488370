import type { KeyAccess } from '@skillpass/contract'
import type { ExpressionBuilder } from 'kysely'
import { type Db, isPostgres } from '../../db/handle.ts'
import { prepared } from '../../db/prepared.ts'
import type { Schema } from '../../db/schema.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import type { AgentRecord } from './agents.ts'

/** An API key without its secret. Times are milliseconds since 1970. */
export interface ApiKeyRecord {
  id: string
  name: string
  keyPrefix: string
  access: KeyAccess
  expiresAt: number | null
  /** The key that made it; null for the one of the registration. */
  parentId: string | null
  createdAt: number
  lastUsedAt: number | null
  /** Network of the address that used it last. */
  lastUsedNetwork: string | null
  revokedAt: number | null
}

export type NewApiKeyRecord = Pick<
  ApiKeyRecord,
  'id' | 'name' | 'keyPrefix' | 'access' | 'expiresAt' | 'parentId' | 'createdAt'
> & { agentId: string; keyHash: SecretHash }

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
    access: key.access,
    expires_at: key.expiresAt,
    parent_id: key.parentId,
    created_at: key.createdAt,
  }),
)

/** An agent with the key by which it was found. */
export type KeyHolder = AgentRecord & {
  keyId: string
  access: KeyAccess
  expiresAt: number | null
  /** Why the operator blocked the agent; null while it is not blocked. */
  blockedReason: string | null
}

/** The agent of a key that is not revoked, with the key; it may have expired, and the agent be blocked. */
export async function findAgentByKey(db: Db, keyHash: SecretHash): Promise<KeyHolder | undefined> {
  const [row] = await byHash(db, { keyHash })
  return row
}

const byHash = prepared((db, { keyHash }: { keyHash: string }) =>
  db
    .selectFrom('api_keys')
    .innerJoin('agents', 'agents.id', 'api_keys.agent_id')
    .select([
      'api_keys.id as keyId',
      'api_keys.access as access',
      'api_keys.expires_at as expiresAt',
      'agents.id as id',
      'agents.username as username',
      'agents.display_name as displayName',
      'agents.bio as bio',
      'agents.created_at as createdAt',
      'agents.verified_as as verifiedAs',
      'agents.blocked_reason as blockedReason',
    ])
    .where('api_keys.key_hash', '=', keyHash)
    .where('api_keys.revoked_at', 'is', null),
)

/** What may have ended since a request was let in: the key that it came with, or its agent's writing. */
export interface Standing {
  revokedAt: number | null
  expiresAt: number | null
  blockedReason: string | null
}

/** How a key and its agent stand; revocation and block wait for the transaction from then on. */
export async function holdStanding(trx: Db, keyId: string): Promise<Standing | undefined> {
  const [row] = await standingOf(trx, { keyId })
  return row
}

const standingOf = prepared((db, { keyId }: { keyId: string }) => {
  const query = db
    .selectFrom('api_keys')
    .innerJoin('agents', 'agents.id', 'api_keys.agent_id')
    .select([
      'api_keys.revoked_at as revokedAt',
      'api_keys.expires_at as expiresAt',
      'agents.blocked_reason as blockedReason',
    ])
    .where('api_keys.id', '=', keyId)
  // The agent first, as `holdApiKeys` does: in another order two transactions could wait for each other.
  return isPostgres(db) ? query.forShare(['agents', 'api_keys']) : query
})

/** The agent's live keys at `now` and as many of the others as `ended` says, newest first. */
export async function listApiKeys(
  db: Db,
  agentId: string,
  { now, ended }: { now: number; ended: number },
): Promise<ApiKeyRecord[]> {
  return db
    .selectFrom('api_keys')
    .select([
      'id',
      'name',
      'key_prefix as keyPrefix',
      'access',
      'expires_at as expiresAt',
      'parent_id as parentId',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
      'last_used_network as lastUsedNetwork',
      'revoked_at as revokedAt',
    ])
    .where('agent_id', '=', agentId)
    .where((eb) =>
      eb.or([
        isLive(now)(eb),
        eb(
          'id',
          'in',
          eb
            .selectFrom('api_keys')
            .select('id')
            .where('agent_id', '=', agentId)
            .where((inner) => inner.not(isLive(now)(inner)))
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(ended),
        ),
      ]),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The condition of keys that are neither revoked nor expired. */
const isLive = (now: number) => (eb: ExpressionBuilder<Schema, 'api_keys'>) =>
  eb.and([
    eb('api_keys.revoked_at', 'is', null),
    eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now)]),
  ])

/**
 * Makes whoever else changes the agent's keys wait for the transaction: keys that are made and
 * revoked at the same time are so one after the other.
 */
export async function holdApiKeys(trx: Db, agentId: string): Promise<void> {
  const agent = trx.selectFrom('agents').select('id').where('id', '=', agentId)
  if (isPostgres(trx)) await agent.forUpdate().execute()
}

/** Ids of the agent's keys that are neither revoked nor expired at `now`. */
export async function listLiveKeyIds(trx: Db, agentId: string, now: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('api_keys')
    .select('id')
    .where('agent_id', '=', agentId)
    .where(isLive(now))
    .execute()
  return rows.map(({ id }) => id)
}

/** The agent's key and those it made, directly or not, in any order; none when there is no such key. */
export async function listKeyTree(trx: Db, agentId: string, id: string): Promise<string[]> {
  const rows = await trx
    .withRecursive('tree', (cte) =>
      cte
        .selectFrom('api_keys')
        .select('api_keys.id')
        .where('api_keys.id', '=', id)
        .where('api_keys.agent_id', '=', agentId)
        .union(
          cte
            .selectFrom('api_keys')
            .innerJoin('tree', 'tree.id', 'api_keys.parent_id')
            .select('api_keys.id'),
        ),
    )
    .selectFrom('tree')
    .select('id')
    .execute()
  return rows.map((row) => row.id)
}

/** The keys that a key comes from: the one that made it, and so on. */
export async function listAncestorKeys(trx: Db, id: string): Promise<string[]> {
  const rows = await trx
    .withRecursive('line', (cte) =>
      cte
        .selectFrom('api_keys')
        .select('api_keys.parent_id as id')
        .where('api_keys.id', '=', id)
        .union(
          cte
            .selectFrom('api_keys')
            .innerJoin('line', 'line.id', 'api_keys.id')
            .select('api_keys.parent_id as id'),
        ),
    )
    .selectFrom('line')
    .select('id')
    .where('id', 'is not', null)
    .$narrowType<{ id: string }>()
    .execute()
  return rows.map((row) => row.id)
}

/** Whether a key that this one comes from is not revoked. */
export async function hasLiveAncestor(trx: Db, id: string): Promise<boolean> {
  const ancestors = await listAncestorKeys(trx, id)
  if (ancestors.length === 0) return false
  const live = trx
    .selectFrom('api_keys')
    .select('id')
    .where('id', 'in', ancestors)
    .where('revoked_at', 'is', null)
  return (await live.executeTakeFirst()) !== undefined
}

/** Ends keys; gives those that were not ended before, whose time of revocation stays. */
export async function revokeApiKeys(
  trx: Db,
  ids: readonly string[],
  now: number,
): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await trx
    .updateTable('api_keys')
    .set({ revoked_at: now })
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** A use of a key. */
export interface KeyUse {
  readonly at: number
  readonly network: string
}

/** Notes the last use of a key. */
export async function touchApiKey(trx: Db, id: string, { at, network }: KeyUse): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ last_used_at: at, last_used_network: network })
    .where('id', '=', id)
    .execute()
}
