import { columnsOf, countRows, type Db, type Fields, prepared, toRow } from '../../db/query.ts'

const identity = ['id', 'username', 'displayName', 'bio', 'createdAt'] as const

export const agentFields = [...identity, 'kind', 'approval', 'verifiedAs'] as const

/** An agent or an organization. Times are milliseconds since 1970. */
export type AgentRecord = Pick<Fields<'agents'>, (typeof agentFields)[number]>

const columns = columnsOf('agents', agentFields)

/** How an agent was created: through the API, or by an operator's command. */
export type AgentOrigin = 'api' | 'operator'

type NewAgent = Omit<AgentRecord, 'verifiedAs' | 'approval'> & {
  origin: AgentOrigin
  skeleton: string
}

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
    .values(toRow(agent, [...identity, 'kind', 'origin', 'skeleton']))
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

const select = (db: Db) => db.selectFrom('agents').select(columns).where('deleted_at', 'is', null)

export const findAgent = (db: Db, id: string): Promise<AgentRecord | undefined> =>
  select(db).where('id', '=', id).executeTakeFirst()

export const findAgentByUsername = (db: Db, username: string): Promise<AgentRecord | undefined> =>
  select(db).where('username', '=', username).executeTakeFirst()

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
