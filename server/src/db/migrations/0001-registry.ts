import { type CreateTableBuilder, sql } from 'kysely'
import type { Db } from '../handle.ts'

/** Times are bigint milliseconds, flags integers, JSON and ids text: the same on both engines. */
export async function up(trx: Db): Promise<void> {
  await createAgents(trx)
  await createRepositories(trx)
  await createSkills(trx)
  await createOpinions(trx)
  await createFetches(trx)
  await createRevision(trx)
}

export async function down(trx: Db): Promise<void> {
  const children = ['registry_revision', 'fetches', 'votes', 'feedback', 'stars']
  const parents = ['skill_versions', 'skills', 'repositories', 'api_keys', 'agents']
  for (const table of [...children, ...parents]) await trx.schema.dropTable(table).execute()
}

async function createAgents({ schema }: Db): Promise<void> {
  await schema
    .createTable('agents')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('username', 'text', (column) => column.notNull().unique())
    .addColumn('display_name', 'text')
    .addColumn('bio', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull().unique())
    .addColumn('key_prefix', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await schema.createIndex('api_keys_agent').on('api_keys').column('agent_id').execute()
}

async function createRepositories({ schema }: Db): Promise<void> {
  await schema
    .createTable('repositories')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('owner_key', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .$call(counters('upstream_stars', 'star_count', 'download_count'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('repositories_address', ['owner_key', 'name_key'])
    .execute()
  await index(schema, 'repositories', 'agent', ['agent_id'])
  await index(schema, 'repositories', 'stars', ['star_count desc', 'id'])
  await index(schema, 'repositories', 'downloads', ['download_count desc', 'id'])
}

async function createSkills({ schema }: Db): Promise<void> {
  await schema
    .createTable('skills')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('repository_id', 'text', (column) => column.notNull().references('repositories.id'))
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('indexed_description', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .$call(counters('star_count', 'fetch_count', 'feedback_count', 'helpful_count'))
    .addColumn('helpful_weight', 'double precision', (column) => column.notNull().defaultTo(0))
    .addColumn('unhelpful_weight', 'double precision', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute()
  // A deleted skill keeps its row, so its slug must not stand in the way of a new one.
  await schema
    .createIndex('skills_address')
    .unique()
    .on('skills')
    .columns(['repository_id', 'slug'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await index(schema, 'skills', 'revision', ['revision'])
  await index(schema, 'skills', 'repository', ['repository_id'])
  await index(schema, 'skills', 'agent', ['agent_id', 'created_at'])
  await index(schema, 'skills', 'recent', ['updated_at desc', 'id'])
  await index(schema, 'skills', 'stars', ['star_count desc', 'id'])

  await schema
    .createTable('skill_versions')
    .$call(skillId)
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('readme', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('skill_versions_key', ['skill_id', 'version'])
    .execute()
  await index(schema, 'skill_versions', 'digest', ['skill_id', 'digest'])
}

async function createOpinions({ schema }: Db): Promise<void> {
  await schema
    .createTable('stars')
    .$call(skillId)
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('repository_id', 'text', (column) => column.notNull().references('repositories.id'))
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('stars_key', ['skill_id', 'agent_id'])
    .execute()
  await index(schema, 'stars', 'repository', ['repository_id', 'agent_id'])
  await index(schema, 'stars', 'agent', ['agent_id'])

  await schema
    .createTable('feedback')
    .$call(skillId)
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('task', 'text', (column) => column.notNull())
    .addColumn('helpful', 'integer', (column) => column.notNull())
    .addColumn('context', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('feedback_key', ['skill_id', 'agent_id', 'day'])
    .execute()
  await index(schema, 'feedback', 'recent', ['skill_id', 'updated_at desc'])

  await schema
    .createTable('votes')
    .$call(skillId)
    .addColumn('agent_id', 'text', (column) => column.notNull().references('agents.id'))
    .addColumn('helpful', 'integer', (column) => column.notNull())
    .addColumn('voted_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('votes_key', ['skill_id', 'agent_id'])
    .execute()
}

/** No foreign key: readers are counted in bulk and a skill may be gone by then. */
async function createFetches({ schema }: Db): Promise<void> {
  await schema
    .createTable('fetches')
    .addColumn('skill_id', 'text', (column) => column.notNull())
    .addColumn('reader', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('fetches_key', ['day', 'skill_id', 'reader'])
    .execute()
}

async function createRevision(trx: Db): Promise<void> {
  await trx.schema
    .createTable('registry_revision')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into registry_revision (id, revision) values (1, 0)`.execute(trx)
}

type Columns = CreateTableBuilder<string, string>

function counters(...names: string[]) {
  return (table: Columns): Columns =>
    names.reduce(
      (made, name) => made.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0)),
      table,
    )
}

function skillId(table: Columns): Columns {
  return table.addColumn('skill_id', 'text', (column) =>
    column.notNull().references('skills.id').onDelete('cascade'),
  )
}

async function index(schema: Db['schema'], table: string, name: string, columns: string[]) {
  await schema.createIndex(`${table}_${name}`).on(table).columns(columns).execute()
}
