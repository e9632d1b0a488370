import { sql } from 'kysely'
import type { Db } from '../handle.ts'

export async function up(trx: Db): Promise<void> {
  for (const statement of [
    'alter table api_keys add column is_registration integer not null default 0',
    'update api_keys set is_registration = 1 where parent_id is null',
    'drop index api_keys_parent',
    'alter table api_keys drop column parent_id',
  ]) {
    await sql.raw(statement).execute(trx)
  }
}

/** All other keys of an agent become children of its key from registration. */
export async function down(trx: Db): Promise<void> {
  for (const statement of [
    'alter table api_keys add column parent_id text',
    `update api_keys set parent_id = (select first.id from api_keys as first
      where first.agent_id = api_keys.agent_id and first.is_registration = 1)
      where is_registration = 0`,
    'create index api_keys_parent on api_keys (parent_id)',
    'alter table api_keys drop column is_registration',
  ]) {
    await sql.raw(statement).execute(trx)
  }
}
