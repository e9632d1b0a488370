import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { type Db, isPostgres } from '../handle.ts'

/** The tables and indexes of the first release in the SQL of SQLite. */
export const text = readFileSync(
  new URL('../../../assets/migrations/0001-baseline.sql', import.meta.url),
  'utf8',
)

/** Frozen, like its SQL. A test compares the result with a recorded schema. */
export async function up(trx: Db): Promise<void> {
  const statements = text
    .replace(/\s+(?=\))|(?<=\()\s+/g, '')
    .replace(/\s+/g, ' ')
    .split(/;\s*/)
  const all = isPostgres(trx)
    ? [...statements.map(toPostgres), ...onPostgres]
    : [...statements, ...onSqlite]
  for (const statement of all.filter(Boolean)) await sql.raw(statement).execute(trx)
  await sql`insert into registry_revision (id, revision, passage_key)
    values (1, 0, ${randomInt(1, 2 ** 31)})`.execute(trx)
  await sql`insert into network_salt (id, salt)
    values (1, ${randomBytes(32).toString('base64url')})`.execute(trx)
}

const toPostgres = (statement: string) =>
  statement.replace(' blob ', ' bytea ').replace(/ without rowid$/, '')

/** Forbids updates of audit entries. Only retention deletes them. */
const onSqlite = [
  `create trigger audit_entries_append_only before update on audit_entries
    begin select raise(abort, 'audit entries are append-only'); end`,
]
const onPostgres = [
  `create function refuse_audit_update() returns trigger language plpgsql as $$
    begin raise exception 'audit entries are append-only'; end $$`,
  `create trigger audit_entries_append_only before update on audit_entries
    for each row execute function refuse_audit_update()`,
  // Most files are small or already compressed, so Postgres should not try to compress them.
  'alter table blob_chunks alter column bytes set storage external',
]
