import { columnsOf, type Db } from '../../db/query.ts'
import { isLive } from './api-keys.ts'

const fields = ['id', 'username', 'origin', 'createdAt', 'blockedAt', 'verifiedAs'] as const

/** Lists agents with the numbers of their skills, including hidden ones, and active keys. */
export async function listAgents(
  db: Db,
  page: { after: string; limit: number; blocked?: boolean | undefined; now: number },
) {
  const rows = await db
    .selectFrom('agents')
    .select(columnsOf('agents', fields))
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
