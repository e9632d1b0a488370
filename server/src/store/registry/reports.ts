import { columnsOf, countRows, type Db, type Fields, hasRow, toRow } from '../../db/query.ts'

const sent = ['id', 'skillId', 'reason', 'text'] as const
const fields = [...sent, 'createdAt', 'updatedAt'] as const

/** A report on a skill. Times are milliseconds since 1970. */
type ReportRecord = Pick<Fields<'reports'>, (typeof fields)[number]>

/** Inserts a reader's report. Returns false if its network has an open one on the skill. */
export const insertReadersReport = (
  trx: Db,
  { now, ...report }: Pick<Fields<'reports'>, (typeof ofReaders)[number]> & { now: number },
): Promise<boolean> =>
  hasRow(
    trx
      .insertInto('reports')
      .values({ ...toRow(report, ofReaders), created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  )

const ofReaders = [...sent, 'version', 'network', 'key'] as const

/** Counts the open reports of readers on a skill. */
export const countReadersReports = (db: Db, skillId: string) =>
  countRows(
    db
      .selectFrom('reports')
      .where((eb) => eb.and({ skill_id: skillId, agent_id: null, resolved_at: null })),
  )

/** Finds a reader's report by the hash of its secret, with the address of its skill. */
export const findReadersReport = (db: Db, key: string) =>
  db
    .selectFrom('reports')
    .innerJoin('skills', 'skills.id', 'reports.skill_id')
    .innerJoin('repositories', 'repositories.id', 'skills.repository_id')
    .select(columnsOf('reports', [...fields, 'resolvedAt', 'decision']))
    .select(['repositories.owner', 'repositories.name as repo', 'skills.slug'])
    .where('reports.key', '=', key)
    .executeTakeFirst()

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
    .leftJoin('agents', 'agents.id', 'reports.agent_id')
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

/**
 * Closes an open report, those on a skill, or those on the skills that an agent's block hid.
 * Returns the reports.
 */
export function closeReports(
  trx: Db,
  which: { id: string } | { skillId: string } | { hiddenOf: string },
  decision: { decision: string; now: number },
) {
  const open = trx
    .updateTable('reports')
    .set({ resolved_at: decision.now, decision: decision.decision })
    .where('resolved_at', 'is', null)
  const hidden = (agentId: string) =>
    trx
      .selectFrom('skills')
      .select('id')
      .where((eb) => eb.and({ agent_id: agentId, state_by: 'block' }))
  const chosen =
    'id' in which
      ? open.where('id', '=', which.id)
      : 'skillId' in which
        ? open.where('skill_id', '=', which.skillId)
        : open.where('skill_id', 'in', hidden(which.hiddenOf))
  return chosen.returning(columnsOf('reports', ['skillId', 'agentId'])).execute()
}
