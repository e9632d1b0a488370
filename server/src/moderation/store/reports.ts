import { countRows } from '../../db/count-rows.ts'
import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

const given = ['id', 'skillId', 'reason', 'text'] as const
const fields = [...given, 'createdAt', 'updatedAt'] as const

/** A report of an agent on a skill. Times are milliseconds since 1970. */
export type ReportRecord = Pick<Fields<'reports'>, (typeof fields)[number]>

/** Keeps an agent's report, in place of an open one of the same skill; `report.id` where it is new. */
export async function upsertReport(
  trx: Db,
  report: Pick<ReportRecord, (typeof given)[number]> & {
    agentId: string
    version: number
    now: number
  },
): Promise<ReportRecord> {
  const { reason, text, version, now } = report
  return trx
    .insertInto('reports')
    .values({
      ...toRow(report, [...given, 'agentId', 'version']),
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['skill_id', 'agent_id'])
        .where('resolved_at', 'is', null)
        .doUpdateSet({ reason, text, version, updated_at: now }),
    )
    .returning(columnsOf('reports', fields))
    .executeTakeFirstOrThrow()
}

/** Open reports, the oldest first, from behind the report `after` on, which may be closed by now. */
export async function listOpenReports(
  db: Db,
  { after = '', limit }: { after?: string; limit: number },
) {
  const last = await db
    .selectFrom('reports')
    .select('created_at')
    .where('id', '=', after)
    .executeTakeFirst()
  const rows = await selectOpen(db)
    .innerJoin('repositories', 'repositories.id', 'skills.repository_id')
    .innerJoin('agents', 'agents.id', 'reports.agent_id')
    .select(columnsOf('reports', fields))
    .select([
      'agents.username as reporter',
      'repositories.owner as owner',
      'repositories.name as repository',
      'skills.slug as slug',
      'skills.state as state',
      'skills.deleted_at as deletedAt',
    ])
    .where((eb) =>
      eb(
        eb.refTuple('reports.created_at', 'reports.id'),
        '>',
        eb.tuple(last?.created_at ?? 0, after),
      ),
    )
    .orderBy('reports.created_at')
    .orderBy('reports.id')
    .limit(limit)
    .execute()
  return rows.map(({ owner, repository, slug, state, deletedAt, ...row }) => ({
    ...row,
    address: `${owner}/${repository}/${slug}`,
    hidden: state === 'hidden',
    /** Whether its publisher has deleted it. */
    deleted: deletedAt !== null,
  }))
}

/** Reports about a skill that the operator has removed need no more work. */
const selectOpen = (db: Db) =>
  db
    .selectFrom('reports')
    .innerJoin('skills', 'skills.id', 'reports.skill_id')
    .where('reports.resolved_at', 'is', null)
    .where((eb) => eb.or([eb('skills.deleted_at', 'is', null), eb('skills.state', '<>', 'hidden')]))

/** How many reports are open. */
export const countOpenReports = (db: Db) => countRows(selectOpen(db))

/** Closes an open report and gives its skill; nothing when there is none. */
export async function resolveReport(
  trx: Db,
  id: string,
  now: number,
): Promise<{ skillId: string } | undefined> {
  return trx
    .updateTable('reports')
    .set({ resolved_at: now })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .returning('skill_id as skillId')
    .executeTakeFirst()
}
