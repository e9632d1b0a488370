import { columnsOf, type Fields } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { isLive } from './api-keys.ts'

const fields = ['id', 'username', 'origin', 'createdAt', 'blockedAt', 'verifiedAs'] as const

/** An agent in the operator's list. Times are milliseconds since 1970. */
export type ListedAgent = Pick<Fields<'agents'>, (typeof fields)[number]> & {
  /** Number of skills, including hidden ones. */
  skills: number
  keys: number
}

export async function listAgents(
  db: Db,
  page: { after: string; limit: number; blocked?: boolean | undefined; now: number },
): Promise<ListedAgent[]> {
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
