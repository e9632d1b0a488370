import type { QuotaName } from '@skillpass/contract'
import { type Db, prepared, toRow } from '../../db/query.ts'

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
