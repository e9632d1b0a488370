import { sql } from 'kysely'
import { type Db, isPostgres } from '../handle.ts'

/** Files beside the readme: their bytes as blobs, and which of them a version has. */
export async function up(trx: Db): Promise<void> {
  const { schema } = trx
  const bytes = isPostgres(trx) ? sql`bytea` : sql`blob`
  await schema
    .createTable('blobs')
    .addColumn('digest', 'text', (column) => column.primaryKey().notNull())
    .addColumn('size', 'integer', (column) => column.notNull())
    .addColumn('crc32', 'bigint', (column) => column.notNull())
    .addColumn('object_key', 'text')
    .addColumn('spare_since', 'bigint')
    .execute()
  await schema
    .createIndex('blobs_spare')
    .on('blobs')
    .column('spare_since')
    .where(sql.ref('spare_since'), 'is not', null)
    .execute()
  await schema
    .createIndex('blobs_here')
    .on('blobs')
    .column('digest')
    .where(sql.ref('object_key'), 'is', null)
    .execute()
  await schema
    .createTable('blob_chunks')
    .addColumn('digest', 'text', (column) =>
      column.notNull().references('blobs.digest').onDelete('cascade'),
    )
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('bytes', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_chunks_key', ['digest', 'number'])
    .execute()
  if (isPostgres(trx)) {
    // Most files are compressed already, or small: Postgres would try to on every write.
    await sql`alter table blob_chunks alter column bytes set storage external`.execute(trx)
  }
  await schema
    .createTable('version_files')
    .addColumn('skill_id', 'text', (column) =>
      column.notNull().references('skills.id').onDelete('cascade'),
    )
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull().references('blobs.digest'))
    .addColumn('executable', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('version_files_key', ['skill_id', 'version', 'path'])
    .execute()
  await schema.createIndex('version_files_digest').on('version_files').column('digest').execute()
  await addVersionColumns(trx)
  await schema
    .alterTable('agent_usage')
    .addColumn('files', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
}

const versionColumns = [
  'slug',
  'description',
  'file_count',
  'manifest_digest',
  'tar_digest',
  'tar_size',
  'zip_digest',
  'zip_size',
] as const

async function addVersionColumns(trx: Db): Promise<void> {
  const alter = () => trx.schema.alterTable('skill_versions')
  for (const column of ['slug', 'description'] as const) {
    await alter()
      .addColumn(column, 'text', (added) => added.notNull().defaultTo(''))
      .execute()
  }
  await alter()
    .addColumn('file_count', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  for (const column of ['manifest_digest', 'tar_digest', 'zip_digest'] as const) {
    await alter().addColumn(column, 'text').execute()
  }
  for (const column of ['tar_size', 'zip_size'] as const) {
    await alter().addColumn(column, 'integer').execute()
  }
  await sql`
    update skill_versions set
      slug = (select skills.slug from skills where skills.id = skill_versions.skill_id),
      description = (
        select coalesce(nullif(skills.description, ''), skills.name)
        from skills where skills.id = skill_versions.skill_id
      )`.execute(trx)
}

export async function down(trx: Db): Promise<void> {
  const { schema } = trx
  await schema.alterTable('agent_usage').dropColumn('files').execute()
  for (const column of [...versionColumns].reverse()) {
    await schema.alterTable('skill_versions').dropColumn(column).execute()
  }
  for (const table of ['version_files', 'blob_chunks', 'blobs'] as const) {
    await schema.dropTable(table).execute()
  }
}
