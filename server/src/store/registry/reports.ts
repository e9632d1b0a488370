import { columnsOf, type Db, type Fields, toRow } from '../../db/query.ts'

const sent = ['id', 'skillId', 'reason', 'text'] as const
const fields = [...sent, 'createdAt', 'updatedAt'] as const

/** An agent's report on a skill. Times are milliseconds since 1970. */
type ReportRecord = Pick<Fields<'reports'>, (typeof fields)[number]>

/** Inserts a report with `report.id`, or updates the agent's open report on the skill. */
export async function upsertReport(
  trx: Db,
  report: Pick<ReportRecord, (typeof sent)[number]> & {
    agentId: string
    version: number
    now: number
  },
): Promise<ReportRecord> {
  const { reason, text, version, now } = report
  return trx
    .insertInto('reports')
    .values({
      ...toRow(report, [...sent, 'agentId', 'version']),
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

/** Lists open reports after the report `after`, oldest first. `after` may be closed. */
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
    /** Whether the publisher has deleted the skill. */
    deleted: deletedAt !== null,
  }))
}

/** Reports on skills that the operator has removed count as resolved. */
const selectOpen = (db: Db) =>
  db
    .selectFrom('reports')
    .innerJoin('skills', 'skills.id', 'reports.skill_id')
    .where('reports.resolved_at', 'is', null)
    .where((eb) => eb.or([eb('skills.deleted_at', 'is', null), eb('skills.state', '<>', 'hidden')]))

/** Closes an open report and returns its skill, or undefined. */
export const markReportResolved = (trx: Db, id: string, now: number) =>
  trx
    .updateTable('reports')
    .set({ resolved_at: now })
    .where('id', '=', id)
    .where('resolved_at', 'is', null)
    .returning('skill_id as skillId')
    .executeTakeFirst()
