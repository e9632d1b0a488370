import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/** People: accounts, users, sessions of their browsers. */
export async function up({ schema }: Db): Promise<void> {
  await schema
    .createTable('accounts')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('master_account_id', 'text', (column) => column.references('accounts.id'))
    .addColumn('require_app_approval', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('email_key', 'text', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('first_name', 'text', (column) => column.notNull())
    .addColumn('last_name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_login_at', 'bigint')
    .addColumn('removed_at', 'bigint')
    .execute()
  // A removed user keeps the row, and the address may be given to another.
  await schema
    .createIndex('users_email')
    .unique()
    .on('users')
    .column('email_key')
    .where(sql.ref('removed_at'), 'is', null)
    .execute()
  await schema
    .createIndex('users_owner')
    .unique()
    .on('users')
    .column('account_id')
    .where(sql.ref('role'), '=', sql.lit('owner'))
    .where(sql.ref('removed_at'), 'is', null)
    .execute()
  await schema.createIndex('users_account').on('users').columns(['account_id', 'id']).execute()
  await schema
    .createTable('sessions')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('sessions_user').on('sessions').column('user_id').execute()
}

export async function down({ schema }: Db): Promise<void> {
  for (const table of ['sessions', 'users', 'accounts']) await schema.dropTable(table).execute()
}
