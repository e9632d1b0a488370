import { type ExpressionBuilder, sql } from 'kysely'
import {
  columnsOf,
  type Db,
  type Fields,
  hasRow,
  isPostgres,
  prepared,
  preparedFirst,
  toRow,
  valuesOf,
} from '../../db/query.ts'
import type { Schema } from '../../db/schema.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { type AgentRecord, agentFields } from './agents.ts'

const made = [
  'id',
  'name',
  'keyPrefix',
  'access',
  'expiresAt',
  'isRegistration',
  'limitOwnerId',
  'limitRepositoryId',
  'createdAt',
] as const
const fields = [...made, 'lastUsedAt', 'lastUsedNetwork', 'useCount', 'revokedAt'] as const

/** An API key without its secret. Times are milliseconds since 1970. */
type ApiKeyRecord = Pick<Fields<'api_keys'>, (typeof fields)[number]>

/** A key in a list, with the owner or repository that limits it. */
export type ListedKey = ApiKeyRecord & { limitedTo: string | null }

type NewApiKeyRecord = Pick<ApiKeyRecord, (typeof made)[number]> & {
  agentId: string
  keyHash: SecretHash
  sourceCommit: string | null
}

/** Limits of a key without limits. */
export const unlimited = { limitOwnerId: null, limitRepositoryId: null } as const

/** Selects the owner or repository that limits a key, or null. */
const limitOf = (eb: ExpressionBuilder<Schema, 'api_keys'>) =>
  eb.fn
    .coalesce(
      eb
        .selectFrom('repositories')
        .select(sql<string>`repositories.owner || '/' || repositories.name`.as('address'))
        .whereRef('repositories.id', '=', 'api_keys.limit_repository_id'),
      eb
        .selectFrom('agents as limits')
        .select('limits.username')
        .whereRef('limits.id', '=', 'api_keys.limit_owner_id'),
    )
    .as('limitedTo')

export const insertApiKey = prepared((db, key: NewApiKeyRecord) =>
  db.insertInto('api_keys').values(toRow(key, [...made, 'agentId', 'keyHash', 'sourceCommit'])),
)

/**
 * Replaces the secret of the key from an agent's registration, which works again if it had ended.
 * Returns undefined if there is no such agent.
 */
export const replaceRegistrationKey = (
  trx: Db,
  agentId: string,
  secret: Pick<NewApiKeyRecord, 'keyHash' | 'keyPrefix'>,
) =>
  trx
    .updateTable('api_keys')
    .set({ ...toRow(secret, ['keyHash', 'keyPrefix']), revoked_at: null })
    .where((eb) => eb.and({ agent_id: agentId, is_registration: 1 }))
    .returning('id')
    .executeTakeFirst()

export type KeyHolder = AgentRecord &
  Pick<Fields<'agents'>, 'blockedReason'> &
  Pick<Fields<'api_keys'>, (typeof held)[number]> & { keyId: string }

const limits = ['limitOwnerId', 'limitRepositoryId'] as const
const held = ['access', 'expiresAt', 'isRegistration', ...limits, 'sourceCommit'] as const

/** Finds the agent, maybe blocked, of a key that is not revoked but may have expired. */
export const findAgentByKey = preparedFirst((db, { keyHash }: { keyHash: SecretHash }) =>
  holders(db).where('api_keys.key_hash', '=', keyHash),
)

/** Selects the agents of keys that are not revoked. */
export const holders = (db: Db) =>
  db
    .selectFrom('api_keys')
    .innerJoin('agents', 'agents.id', 'api_keys.agent_id')
    .select('api_keys.id as keyId')
    .select(columnsOf('api_keys', held))
    .select(columnsOf('agents', [...agentFields, 'blockedReason']))
    .where((eb) => eb.and({ 'api_keys.revoked_at': null, 'agents.deleted_at': null }))

/** Reads the status of a key and its agent, and locks both against revocation and blocking. */
export const lockKeyHolder = preparedFirst((db, { keyId }: { keyId: string }) => {
  const query = db
    .selectFrom('api_keys')
    .innerJoin('agents', 'agents.id', 'api_keys.agent_id')
    .select(columnsOf('api_keys', ['revokedAt', 'expiresAt']))
    .select(columnsOf('agents', [...agentFields, 'blockedReason']))
    .where((eb) => eb.and({ 'api_keys.id': keyId, 'agents.deleted_at': null }))
  // Lock the agent first, as `lockAgent` does. Another order could deadlock.
  return isPostgres(db) ? query.forShare(['agents', 'api_keys']) : query
})

/** Lists the agent's active keys at `now` and up to `ended` others, newest first. */
export function findApiKeys(
  db: Db,
  agentId: string,
  { now, ended }: { now: number; ended: number },
): Promise<ListedKey[]> {
  const lastEnded = db
    .selectFrom('api_keys')
    .select('id')
    .where('agent_id', '=', agentId)
    .where((eb) => eb.not(isLive(now)(eb)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(ended)
  return db
    .selectFrom('api_keys')
    .select(columnsOf('api_keys', fields))
    .select(limitOf)
    .where('agent_id', '=', agentId)
    .where((eb) => eb.or([isLive(now)(eb), eb('id', 'in', lastEnded)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Lists the active keys that are limited to an organization or its repositories, of all agents or
 * of one, newest first.
 */
export const listKeysLimitedTo = (db: Db, ownerId: string, now: number, agentId?: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('agents', 'agents.id', 'api_keys.agent_id')
    .select(columnsOf('api_keys', fields))
    .select(limitOf)
    .select('agents.username as agent')
    .where(isLive(now))
    .where((eb) =>
      eb.or([
        eb('limit_owner_id', '=', ownerId),
        eb(
          'limit_repository_id',
          'in',
          eb.selectFrom('repositories').select('id').where('agent_id', '=', ownerId),
        ),
      ]),
    )
    .$if(agentId !== undefined, (query) => query.where('agents.id', '=', agentId ?? ''))
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id')
    .execute()

/** Returns the owner or repository that limits a key, or null. */
export const findLimit = async (db: Db, keyId: string): Promise<string | null> =>
  (
    await valuesOf(db.selectFrom('api_keys').select(limitOf).where('id', '=', keyId), 'limitedTo')
  )[0] ?? null

/** Matches keys that are neither revoked nor expired. */
export const isLive = (now: number) => (eb: ExpressionBuilder<Schema, 'api_keys'>) =>
  eb.and([
    eb('api_keys.revoked_at', 'is', null),
    eb.or([eb('api_keys.expires_at', 'is', null), eb('api_keys.expires_at', '>', now)]),
  ])

/** Locks an agent. Serializes transactions that change its keys or create its repositories. */
export async function lockAgent(trx: Db, agentId: string): Promise<void> {
  const agent = trx.selectFrom('agents').select('id').where('id', '=', agentId)
  if (isPostgres(trx)) await agent.forUpdate().execute()
}

/** A key of an agent. */
export interface OwnedKey {
  readonly id: string
  readonly agentId: string
  readonly isRegistration: 0 | 1
}

const owned = ['id', 'agentId', 'isRegistration'] as const

export const findApiKey = (db: Db, agentId: string, id: string): Promise<OwnedKey | undefined> =>
  db
    .selectFrom('api_keys')
    .select(columnsOf('api_keys', owned))
    .where((eb) => eb.and({ id, agent_id: agentId }))
    .executeTakeFirst()

/** Finds up to two keys with this id or this shown prefix. */
export const findKeysNamed = (db: Db, name: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('agents', 'agents.id', 'api_keys.agent_id')
    .select(columnsOf('api_keys', owned))
    .select('agents.username as username')
    .where((eb) => eb.or([eb('api_keys.id', '=', name), eb('key_prefix', '=', name)]))
    .limit(2)
    .execute()

export const listLiveKeys = (trx: Db, agentId: string, now: number): Promise<OwnedKey[]> =>
  trx
    .selectFrom('api_keys')
    .select(columnsOf('api_keys', owned))
    .where('agent_id', '=', agentId)
    .where(isLive(now))
    .execute()

/** Revokes keys and returns the ids of those that were not revoked before. */
export async function revokeApiKeys(trx: Db, ids: readonly string[], now: number) {
  if (ids.length === 0) return []
  const update = trx.updateTable('api_keys').set({ revoked_at: now }).where('id', 'in', ids)
  return valuesOf(update.where('revoked_at', 'is', null).returning('id'), 'id')
}

export interface KeyUse {
  readonly at: number
  readonly network: string
  readonly count: number
}

/**
 * Records uses of a key. Returns false if a write holds the lock: waiting for it while
 * holding locks of other keys could deadlock.
 */
export async function touchApiKey(
  trx: Db,
  id: string,
  { at, network, count }: KeyUse,
): Promise<boolean> {
  let key = trx.selectFrom('api_keys').select('id').where('id', '=', id)
  if (isPostgres(trx)) key = key.forNoKeyUpdate().skipLocked()
  return hasRow(
    trx
      .updateTable('api_keys')
      .set((eb) => ({
        last_used_at: at,
        last_used_network: network,
        use_count: eb('use_count', '+', count),
      }))
      .where('id', '=', key)
      .returning('id'),
  )
}

const listedFields = ['id', 'username', 'origin', 'createdAt', 'blockedAt', 'verifiedAs'] as const

/** Lists agents with the numbers of their skills, including hidden ones, and active keys. */
export async function listAgents(
  db: Db,
  page: { after: string; limit: number; blocked?: boolean | undefined; now: number },
) {
  const rows = await db
    .selectFrom('agents')
    .select(columnsOf('agents', listedFields))
    .select((eb) => [
      eb
        .selectFrom('skills')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('skills.agent_id', '=', 'agents.id')
        .where('skills.deleted_at', 'is', null)
        .as('skills'),
      eb
        .selectFrom('api_keys')
        .select((inner) => inner.fn.countAll<number>().as('count'))
        .whereRef('api_keys.agent_id', '=', 'agents.id')
        .where(isLive(page.now))
        .as('keys'),
    ])
    .where('username', '>', page.after)
    .$if(page.blocked === true, (query) => query.where('blocked_at', 'is not', null))
    .orderBy('username')
    .limit(page.limit)
    .execute()
  return rows.map((row) => ({ ...row, skills: row.skills ?? 0, keys: row.keys ?? 0 }))
}

/** Deletes keys that workflows received by trusted publishing and that expired before `time`. */
export const deleteExpiredTrustedKeys = (trx: Db, time: number) =>
  trx
    .deleteFrom('api_keys')
    .where('source_commit', 'is not', null)
    .where('expires_at', '<', time)
    .execute()
