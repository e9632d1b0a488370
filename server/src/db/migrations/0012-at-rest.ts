import { sql } from 'kysely'
import type { Db } from '../handle.ts'

export async function up(trx: Db): Promise<void> {
  const { schema } = trx
  await schema
    .createTable('encryption_keys')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()

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
