import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/**
 * Columns that hold no plain text from now on. A migration has no key: it marks what is there with a
 * prefix, and the start that follows seals it.
 */
const columns = [
  ['apps', 'webhook_secret'],
  ['apps', 'previous_webhook_secret'],
  ['consent_requests', 'state'],
  ['meetings', 'password'],
  ['device_codes', 'user_code'],
] as const

/** Secrets at rest are sealed; emails are proven, and the domains of accounts prove them. */
export async function up(trx: Db): Promise<void> {
  const { schema } = trx
  await schema
    .createTable('encryption_keys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  for (const [table, name] of columns) {
    const column = sql.ref(name)
    await sql`update ${sql.table(table)} set ${column} = 'plain.' || ${column}
      where ${column} is not null`.execute(trx)
  }
  await sql`insert into encryption_keys (id, created_at) values ('plain', 0)`.execute(trx)

  // Who is here was let in while emails counted as proven.
  await schema
    .alterTable('users')
    .addColumn('verified', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await schema.dropIndex('users_email').execute()
  await schema
    .createIndex('users_email')
    .unique()
    .on('users')
    .column('email_key')
    .where(sql.ref('removed_at'), 'is', null)
    .where(sql.ref('verified'), '=', sql.lit(1))
    .execute()
  await schema
    .createIndex('users_account_email')
    .unique()
    .on('users')
    .columns(['email_key', 'account_id'])
    .where(sql.ref('removed_at'), 'is', null)
    .execute()
  await schema
    .createTable('account_domains')
    .addColumn('domain', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .execute()
  await schema
    .createIndex('account_domains_account')
    .on('account_domains')
    .column('account_id')
    .execute()
}

export async function down(trx: Db): Promise<void> {
  const { schema } = trx
  // What waits for a device's user cannot be had back; such codes live minutes.
  await sql`delete from device_codes where substr(user_code, 1, 6) <> 'plain.'`.execute(trx)
  for (const [table, name] of columns) {
    const column = sql.ref(name)
    const { rows } = await sql`select 1 from ${sql.table(table)}
      where ${column} is not null and substr(${column}, 1, 6) <> 'plain.' limit 1`.execute(trx)
    if (rows.length > 0) {
      throw new Error(
        `${table}.${name} is encrypted. Stop all servers and run skillpass-server encryption undo first.`,
      )
    }
    await sql`update ${sql.table(table)} set ${column} = substr(${column}, 7)
      where ${column} is not null`.execute(trx)
  }
  await schema.dropTable('encryption_keys').execute()
  await schema.dropTable('account_domains').execute()
  // An email may have one user again: those that nobody has proven make way.
  await sql`update users set removed_at = created_at
    where verified = 0 and removed_at is null`.execute(trx)
  await schema.dropIndex('users_account_email').execute()
  await schema.dropIndex('users_email').execute()
  await schema
    .createIndex('users_email')
    .unique()
    .on('users')
    .column('email_key')
    .where(sql.ref('removed_at'), 'is', null)
    .execute()
  await schema.alterTable('users').dropColumn('verified').execute()
}
