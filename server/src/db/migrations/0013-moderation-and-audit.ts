import { sql } from 'kysely'
import { type Db, isPostgres } from '../handle.ts'
import { countStars, raiseRevision, sumVotes } from './0008-vote-weights.ts'

/** What the operator hides, removes and blocks, reports, verified publishers, and the audit log. */
export async function up(trx: Db): Promise<void> {
  await addMarks(trx)
  await createModeration(trx)
  await createVerifications(trx)
  await createAudit(trx)
}

export async function down(trx: Db): Promise<void> {
  const { schema } = trx
  await countAll(trx)
  await schema.dropTable('audit_entries').execute()
  if (isPostgres(trx)) await sql`drop function refuse_audit_update()`.execute(trx)
  for (const table of ['verifications', 'notices', 'reports', 'removed_addresses']) {
    await schema.dropTable(table).execute()
  }
  for (const [table, column] of marks) await schema.alterTable(table).dropColumn(column).execute()
}

/** Brings back what hiding and blocking had taken out of the numbers. */
async function countAll(trx: Db): Promise<void> {
  const revision = await raiseRevision(trx)
  await sql`update skills set revision = ${revision} where hidden_at is not null`.execute(trx)
  await sumVotes(trx)
  await countStars(trx)
  await sql`
    update skills set
      feedback_count = (select count(*) from feedback where feedback.skill_id = skills.id),
      helpful_count = (
        select count(*) from feedback where feedback.skill_id = skills.id and feedback.helpful = 1)
    where id in (select skill_id from feedback)`.execute(trx)
  await sql`
    update repositories set download_count = coalesce((
      select sum(fetch_count) from skills
      where skills.repository_id = repositories.id and skills.deleted_at is null), 0)`.execute(trx)
}

const marks = [
  ['skills', 'hidden_at'],
  ['skills', 'hidden_reason'],
  ['skills', 'hidden_by_block'],
  ['agents', 'blocked_at'],
  ['agents', 'blocked_reason'],
  ['agents', 'verified'],
  ['repositories', 'verified'],
] as const

async function addMarks({ schema }: Db): Promise<void> {
  const times = ['hidden_at', 'blocked_at']
  const texts = ['hidden_reason', 'blocked_reason']
  for (const [table, name] of marks) {
    const altered = schema.alterTable(table)
    if (times.includes(name)) await altered.addColumn(name, 'bigint').execute()
    else if (texts.includes(name)) await altered.addColumn(name, 'text').execute()
    else {
      await altered.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0)).execute()
    }
  }
}

async function createModeration({ schema }: Db): Promise<void> {
  await schema
    .createTable('removed_addresses')
    .addColumn('repository_id', 'text', (column) => column.notNull().references('repositories.id'))
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('removed_addresses_key', ['repository_id', 'slug'])
    .execute()
  await schema
    .createTable('reports')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('resolved_at', 'bigint')
    .execute()
  await schema
    .createIndex('reports_open')
    .unique()
    .on('reports')
    .columns(['skill_id', 'agent_id'])
    .where(sql.ref('resolved_at'), 'is', null)
    .execute()
  await schema
    .createTable('notices')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('action', 'text', (column) => column.notNull())
    // Not a reference: the notice outlives the skill.
    .addColumn('skill_id', 'text')
    .addColumn('address', 'text')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('notices_agent')
    .on('notices')
    .columns(['agent_id', 'created_at desc', 'id'])
    .execute()
}

async function createVerifications({ schema }: Db): Promise<void> {
  await schema
    .createTable('verifications')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('location', 'text', (column) => column.notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('verified_at', 'bigint')
    .execute()
  await schema.createIndex('verifications_agent').on('verifications').column('agent_id').execute()
}

async function createAudit(trx: Db): Promise<void> {
  const { schema } = trx
  await schema
    .createTable('audit_entries')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('who_kind', 'text', (column) => column.notNull())
    .addColumn('who', 'text')
    .addColumn('whom_kind', 'text')
    .addColumn('whom', 'text')
    .addColumn('account_id', 'text')
    .addColumn('network', 'text')
    .addColumn('count', 'integer', (column) => column.notNull().defaultTo(1))
    .addColumn('note', 'text')
    .execute()
  await schema.createIndex('audit_entries_at').on('audit_entries').columns(['at', 'id']).execute()
  await schema
    .createIndex('audit_entries_account')
    .on('audit_entries')
    .columns(['account_id', 'at', 'id'])
    .execute()
  for (const statement of isPostgres(trx) ? postgresGuard : [sqliteGuard]) {
    await statement.execute(trx)
  }
}

/** An entry stays as it was written; only retention removes it. */
const sqliteGuard = sql`
  create trigger audit_entries_append_only before update on audit_entries
  begin select raise(abort, 'audit entries are append-only'); end`

const postgresGuard = [
  sql`
    create function refuse_audit_update() returns trigger language plpgsql as $$
    begin raise exception 'audit entries are append-only'; end $$`,
  sql`
    create trigger audit_entries_append_only before update on audit_entries
    for each row execute function refuse_audit_update()`,
]
