import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/** Votes, stars and fetches know the networks they come from, and votes have weights. */
export async function up(trx: Db): Promise<void> {
  await addNetworks(trx)
  await addVoteWeights(trx)
  await addReads(trx)
  await addCountedStars(trx)
}

export async function down(trx: Db): Promise<void> {
  const { schema } = trx
  await sql`update votes set weight = 1`.execute(trx)
  await sumVotes(trx)
  await sql`update stars set counted = 1`.execute(trx)
  await countStars(trx)
  for (const name of voteIndexes.keys()) await schema.dropIndex(name).execute()
  for (const column of ['weight', 'network', 'cast_network', 'has_read', 'weighed_at']) {
    await schema.alterTable('votes').dropColumn(column).execute()
  }
  await schema.alterTable('stars').dropColumn('counted').execute()
  await schema.alterTable('skills').dropColumn('network_fetch_count').execute()
  await schema.dropIndex('agents_network').execute()
  await schema.alterTable('agents').dropColumn('network').execute()
  await schema.dropTable('reads').execute()
  await schema.dropTable('network_salt').execute()
}

async function addNetworks(trx: Db): Promise<void> {
  const { schema } = trx
  await schema
    .createTable('network_salt')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull().check(sql`id = 1`))
    .addColumn('salt', 'text', (column) => column.notNull())
    .execute()
  const salt = randomBytes(32).toString('base64url')
  await sql`insert into network_salt (id, salt) values (1, ${salt})`.execute(trx)
  await schema.alterTable('agents').addColumn('network', 'text').execute()
  await index(trx, 'agents_network', 'agents', ['network', 'created_at'])
}

const voteIndexes = new Map([
  ['votes_network', ['skill_id', 'network']],
  ['votes_cast_network', ['skill_id', 'cast_network']],
  ['votes_network_day', ['network', 'voted_at']],
  ['votes_cast_network_day', ['cast_network', 'voted_at']],
  ['votes_agent', ['agent_id', 'voted_at']],
  ['votes_weighed', ['weighed_at', 'skill_id', 'agent_id']],
])

async function addVoteWeights(trx: Db): Promise<void> {
  const text = (name: string) =>
    trx.schema
      .alterTable('votes')
      .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  await trx.schema
    .alterTable('votes')
    .addColumn('weight', 'double precision', (column) => column.notNull().defaultTo(0))
    .execute()
  await text('network')
  await text('cast_network')
  await trx.schema
    .alterTable('votes')
    .addColumn('has_read', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await trx.schema
    .alterTable('votes')
    .addColumn('weighed_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  for (const [name, columns] of voteIndexes) await index(trx, name, 'votes', columns)

  // Where these votes come from is unknown, so on each skill they count together like one agent's,
  // and none more than a quarter. Whether their agents had read the skill nobody can tell any more.
  await sql`
    update votes set has_read = 1, weight = case
      when agent_id = (select skills.agent_id from skills where skills.id = votes.skill_id) then 0.0
      else (select case when count(*) <= 4 then 0.25 else 1.0 / count(*) end
            from votes others join skills on skills.id = others.skill_id
            where others.skill_id = votes.skill_id and others.agent_id <> skills.agent_id)
    end`.execute(trx)
  await sumVotes(trx)
}

/** Writes the sums of skills with votes anew: each vote's weight, twice that after 180 days. */
export async function sumVotes(trx: Db): Promise<void> {
  const revision = await raiseRevision(trx)
  const sum = (helpful: 0 | 1) => sql`coalesce((
    select sum(votes.weight * pow(cast(2 as double precision),
      (votes.voted_at - 1767225600000) / cast(15552000000 as double precision)))
    from votes where votes.skill_id = skills.id and votes.helpful = ${sql.lit(helpful)}
      and votes.agent_id <> skills.agent_id), 0)`
  await sql`
    update skills set helpful_weight = ${sum(1)}, unhelpful_weight = ${sum(0)},
      revision = ${revision}
    where id in (select skill_id from votes)`.execute(trx)
}

async function addReads(trx: Db): Promise<void> {
  await trx.schema
    .alterTable('skills')
    .addColumn('network_fetch_count', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  // The networks of past readers are unknown; each reader was an address of its own at least.
  await sql`update skills set network_fetch_count = fetch_count`.execute(trx)
  await trx.schema
    .createTable('reads')
    .addColumn('skill_id', 'text', (column) => column.notNull())
    .addColumn('reader', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('reads_key', ['skill_id', 'reader', 'version'])
    .execute()
  await index(trx, 'reads_day', 'reads', ['day'])
}

/** Owners' stars of their own skills count no more. */
async function addCountedStars(trx: Db): Promise<void> {
  await trx.schema
    .alterTable('stars')
    .addColumn('counted', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await sql`
    update stars set counted = 0
    where agent_id = (select skills.agent_id from skills where skills.id = stars.skill_id)`.execute(
    trx,
  )
  await countStars(trx)
}

/** Counts the stars of every starred skill and its repository anew. */
export async function countStars(trx: Db): Promise<void> {
  const revision = await raiseRevision(trx)
  await sql`
    update repositories set star_count = upstream_stars + (
      select count(distinct agent_id) from stars
      where stars.repository_id = repositories.id and stars.counted = 1)
    where id in (select repository_id from stars)`.execute(trx)
  await sql`
    update skills set revision = ${revision}, star_count = (
      select count(*) from stars where stars.skill_id = skills.id and stars.counted = 1)
    where id in (select skill_id from stars)`.execute(trx)
}

export async function raiseRevision(trx: Db): Promise<number> {
  const { rows } = await sql<{ revision: number }>`
    update registry_revision set revision = revision + 1 returning revision`.execute(trx)
  return rows[0]?.revision ?? 0
}

async function index(trx: Db, name: string, table: string, columns: readonly string[]) {
  await trx.schema
    .createIndex(name)
    .on(table)
    .columns([...columns])
    .execute()
}
