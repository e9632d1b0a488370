import { createHmac } from 'node:crypto'
import type { QuotaName } from '@skillpass/contract'
import { columnsOf, countRows, type Db, type Fields, prepared, toRow } from '../../db/query.ts'

const identity = ['id', 'username', 'displayName', 'bio', 'createdAt'] as const

export const agentFields = [...identity, 'verifiedAs'] as const

/** An agent. Times are milliseconds since 1970. */
export type AgentRecord = Pick<Fields<'agents'>, (typeof agentFields)[number]>

const columns = columnsOf('agents', agentFields)

/** How an agent was created: through the API, or by an operator's command. */
export type AgentOrigin = 'api' | 'operator'

export type NewAgent = Omit<AgentRecord, 'verifiedAs'> & { origin: AgentOrigin; skeleton: string }

/**
 * Inserts an agent. Returns false if the username is taken or looks like another agent's. An
 * operator's agent takes over the skeleton, so that no registration can block it.
 */
export async function insertAgent(trx: Db, agent: NewAgent): Promise<boolean> {
  const { username, skeleton, origin } = agent
  if (origin === 'operator' && !(await findAgentByUsername(trx, username))) {
    const holders = trx.updateTable('agents').where('skeleton', '=', skeleton)
    await holders.set({ skeleton: null }).execute()
  }
  const [row] = await insert(trx, agent)
  return row !== undefined
}

const insert = prepared((db, agent: NewAgent) =>
  db
    .insertInto('agents')
    .values(toRow(agent, [...identity, 'origin', 'skeleton']))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

/** Returns how the agent with this username was created, or undefined. */
export async function findAgentOrigin(db: Db, username: string) {
  const agents = db.selectFrom('agents').select('origin').where('username', '=', username)
  return (await agents.executeTakeFirst())?.origin
}

export const vouchForAgent = (trx: Db, id: string) =>
  trx
    .updateTable('agents')
    .set({ origin: 'operator' })
    .where('id', '=', id)
    .where('origin', '!=', 'operator')
    .returning('id')
    .executeTakeFirst()

export const findAgent = (db: Db, id: string): Promise<AgentRecord | undefined> =>
  db.selectFrom('agents').select(columns).where('id', '=', id).executeTakeFirst()

export const findAgentByUsername = (db: Db, username: string): Promise<AgentRecord | undefined> =>
  db.selectFrom('agents').select(columns).where('username', '=', username).executeTakeFirst()

/** Returns why an agent is blocked, or undefined if it is not. */
export async function findBlock(db: Db, id: string): Promise<string | undefined> {
  const agents = db.selectFrom('agents').select('blocked_reason as reason').where('id', '=', id)
  const row = await agents.where('blocked_at', 'is not', null).executeTakeFirst()
  return row && (row.reason ?? '')
}

/** Blocks an agent, changes the reason or, with null, unblocks it. */
export const setBlock = (trx: Db, id: string, block: { reason: string; now: number } | null) =>
  trx
    .updateTable('agents')
    .set({ blocked_at: block?.now ?? null, blocked_reason: block?.reason ?? null })
    .where('id', '=', id)
    .execute()

export const countAgents = (db: Db) => countRows(db.selectFrom('agents'))

export type Usage = Record<QuotaName, number>

/** Adds to an agent's usage on a UTC day and returns the totals. The row stays locked. */
export async function addUsage(
  trx: Db,
  at: { agentId: string; day: string },
  usage: Partial<Usage>,
): Promise<Usage> {
  const [row] = await add(trx, { ...at, ...nothing, ...usage })
  if (!row) throw new Error('the usage was not stored')
  return row
}

const names = ['skills', 'versions', 'bytes', 'words', 'reports', 'files'] as const
const nothing: Usage = { skills: 0, versions: 0, bytes: 0, words: 0, reports: 0, files: 0 }

const add = prepared((db, row: { agentId: string; day: string } & Usage) =>
  db
    .insertInto('agent_usage')
    .values(toRow(row, ['agentId', 'day', ...names]))
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'agent_id'])
        .doUpdateSet((eb) =>
          Object.fromEntries(
            names.map((name) => [name, eb(`agent_usage.${name}`, '+', eb.ref(`excluded.${name}`))]),
          ),
        ),
    )
    .returning(names),
)

export const purgeUsage = (trx: Db, day: string) =>
  trx.deleteFrom('agent_usage').where('day', '<', day).execute()

/**
 * Returns the key under which a network is stored: an HMAC with the database's salt, which hides
 * the network. Returns an empty string for an unknown network.
 */
export async function networkKey(db: Db, network: string | undefined): Promise<string> {
  if (network === undefined) return ''
  const { salt } = await db.selectFrom('network_salt').select('salt').executeTakeFirstOrThrow()
  return createHmac('sha256', salt).update(network).digest('base64url').slice(0, 22)
}

/** Returns the network from which an agent registered, null if unknown, and the time in ms. */
export const findAgentNetwork = (db: Db, agentId: string) =>
  db
    .selectFrom('agents')
    .select(['network', 'created_at as createdAt'])
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow()

/** Sets an agent's network unless it is known. */
export const setAgentNetwork = (trx: Db, agentId: string, network: string) =>
  trx
    .updateTable('agents')
    .set({ network })
    .where((eb) => eb.and({ id: agentId, network: null }))
    .execute()

export const countAgentsFrom = (db: Db, network: string, until: number) =>
  countRows(db.selectFrom('agents').where('network', '=', network).where('created_at', '<=', until))

export async function findFirstAgentTime(db: Db): Promise<number> {
  const row = await db
    .selectFrom('agents')
    .select((eb) => eb.fn.min('created_at').as('time'))
    .executeTakeFirstOrThrow()
  return Number(row.time)
}

/** Returns the owners of skills and their networks, by skill id. Omits deleted skills. */
export async function findOwnersOf(db: Db, skillIds: readonly string[]) {
  const rows = await db
    .selectFrom('skills')
    .innerJoin('agents', 'agents.id', 'skills.agent_id')
    .select(['skills.id', 'agents.id as agentId', 'agents.network'])
    .where('skills.id', 'in', [...skillIds])
    .where('skills.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, ...owner }) => [id, owner]))
}

/** Returns the networks from which agents registered, by agent id. Null if unknown. */
export async function findNetworksOf(db: Db, agentIds: readonly string[]) {
  if (agentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('agents')
    .select(['id', 'network'])
    .where('id', 'in', [...agentIds])
    .execute()
  return new Map(rows.map(({ id, network }) => [id, network]))
}
