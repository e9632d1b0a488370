import type { Db } from '../../db/open.ts'
import { prepared } from '../../db/prepared.ts'

/** An agent. Times are milliseconds since 1970. */
export type AgentRecord = {
  id: string
  username: string
  displayName: string | null
  bio: string | null
  createdAt: number
}

const columns = [
  'id',
  'username',
  'display_name as displayName',
  'bio',
  'created_at as createdAt',
] as const

/** Keeps a new agent; false when the username is taken. */
export async function insertAgent(trx: Db, agent: AgentRecord): Promise<boolean> {
  const [row] = await insert(trx, agent)
  return row !== undefined
}

const insert = prepared((db, agent: AgentRecord) =>
  db
    .insertInto('agents')
    .values({
      id: agent.id,
      username: agent.username,
      display_name: agent.displayName,
      bio: agent.bio,
      created_at: agent.createdAt,
    })
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returning('id'),
)

/** The agent with this id. */
export async function findAgent(db: Db, id: string): Promise<AgentRecord | undefined> {
  return db.selectFrom('agents').select(columns).where('id', '=', id).executeTakeFirst()
}

/** The agent with this username. */
export async function findAgentByUsername(
  db: Db,
  username: string,
): Promise<AgentRecord | undefined> {
  return db.selectFrom('agents').select(columns).where('username', '=', username).executeTakeFirst()
}

/** How many live skills the agent has, and how many stars they have together. */
export async function countAgentSkills(
  db: Db,
  agentId: string,
): Promise<{ skillCount: number; starCount: number }> {
  const row = await db
    .selectFrom('skills')
    .select((eb) => [
      eb.fn.countAll<number>().as('skillCount'),
      eb.fn.sum<number | null>('star_count').as('starCount'),
    ])
    .where('agent_id', '=', agentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { skillCount: row.skillCount, starCount: Number(row.starCount ?? 0) }
}

/** Ids of the agent's live skills, newest first. */
export async function listAgentSkillIds(db: Db, agentId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('skills')
    .select('id')
    .where('agent_id', '=', agentId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** How many agents there are. */
export async function countAgents(db: Db): Promise<number> {
  const row = await db
    .selectFrom('agents')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
