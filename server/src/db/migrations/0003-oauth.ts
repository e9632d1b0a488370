import { type CreateTableBuilder, SqliteAdapter, sql } from 'kysely'
import type { Db } from '../handle.ts'

export async function up(trx: Db): Promise<void> {
  await createApps(trx)
  await createGrants(trx)
  await createTokens(trx)
  await createRequests(trx)
}

export async function down({ schema }: Db): Promise<void> {
  const requests = ['consent_requests', 'device_codes', 'authorization_codes']
  const tokens = ['refresh_tokens', 'access_tokens', 'grants']
  const apps = ['approvals', 'redirect_uris', 'clients', 'apps']
  for (const table of [...requests, ...tokens, ...apps]) await schema.dropTable(table).execute()
}

async function createApps({ schema }: Db): Promise<void> {
  await schema
    .createTable('apps')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('level', 'text', (column) => column.notNull())
    .addColumn('visibility', 'text', (column) => column.notNull())
    .addColumn('device_flow', 'integer', (column) => column.notNull())
    .addColumn('public_client', 'integer', (column) => column.notNull())
    .addColumn('require_s256', 'integer', (column) => column.notNull())
    .addColumn('deauthorization_url', 'text')
    .addColumn('webhook_secret', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('disabled_at', 'bigint')
    .addUniqueConstraint('apps_name', ['account_id', 'name'])
    .execute()
  // The development and the production credentials of an app, each a client of its own.
  await schema
    .createTable('clients')
    .addColumn('client_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('app_id', 'text', (column) => column.notNull().references('apps.id'))
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('previous_secret_hash', 'text')
    .addColumn('previous_secret_expires_at', 'bigint')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('optional_scopes', 'text', (column) => column.notNull())
    .addUniqueConstraint('clients_environment', ['app_id', 'environment'])
    .execute()
  await schema
    .createTable('redirect_uris')
    .addColumn('client_id', 'text', (column) => column.notNull().references('clients.client_id'))
    .addColumn('uri', 'text', (column) => column.notNull())
    .addColumn('origin', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('redirect_uris_key', ['client_id', 'uri'])
    .execute()
  await index(schema, 'redirect_uris', 'origin', ['origin'])
  await schema
    .createTable('approvals')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('app_id', 'text', (column) => column.notNull().references('apps.id'))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('requested_by', 'text', (column) => column.references('users.id'))
    .addColumn('requested_at', 'bigint')
    .addColumn('decided_by', 'text', (column) => column.references('users.id'))
    .addColumn('decided_at', 'bigint')
    .addPrimaryKeyConstraint('approvals_key', ['account_id', 'app_id'])
    .execute()
}

async function createGrants({ schema }: Db): Promise<void> {
  await schema
    .createTable('grants')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('app_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('end_reason', 'text')
    .execute()
  await index(schema, 'grants', 'user', ['user_id', 'app_id'])
  await index(schema, 'grants', 'account', ['account_id', 'app_id'])
  await schema
    .createIndex('grants_ended')
    .on('grants')
    .column('ended_at')
    .where(sql.ref('ended_at'), 'is not', null)
    .execute()
}

/**
 * No foreign keys: apps and users keep their rows, and a look at four parents per token would cost
 * more than the token. Keys begin with the second of issue, so old rows are one range of the index.
 */
async function createTokens(trx: Db): Promise<void> {
  await trx.schema
    .createTable('access_tokens')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('grant_id', 'text')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .$call(clustered(trx))
    .execute()
  await trx.schema
    .createTable('refresh_tokens')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('grant_id', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    // With the used token it gives its successors again, for as long as the grace lasts.
    .addColumn('successor_salt', 'text')
    .$call(clustered(trx))
    .execute()
  await trx.schema
    .createIndex('refresh_tokens_used')
    .on('refresh_tokens')
    .column('used_at')
    .where(sql.ref('used_at'), 'is not', null)
    .execute()
}

async function createRequests(trx: Db): Promise<void> {
  const { schema } = trx
  await schema
    .createTable('authorization_codes')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('code_challenge', 'text')
    .addColumn('code_challenge_method', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('end_reason', 'text')
    .addColumn('grant_id', 'text')
    .execute()
  await index(schema, 'authorization_codes', 'user', ['user_id'])
  await schema
    .createTable('device_codes')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_code', 'text', (column) => column.notNull().unique())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text')
    .addColumn('end_reason', 'text')
    .addColumn('interval_seconds', 'integer', (column) => column.notNull())
    .addColumn('polled_at', 'bigint')
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await index(schema, 'device_codes', 'user', ['user_id'])
  await schema
    .createTable('consent_requests')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('session_key', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('state', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('optional_scopes', 'text', (column) => column.notNull())
    .addColumn('code_challenge', 'text')
    .addColumn('code_challenge_method', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('decided_at', 'bigint')
    .execute()
}

type Columns = CreateTableBuilder<string, string>

/** Keeps the rows in the order of their key: in SQLite one tree in place of a table and its index. */
const clustered = (trx: Db) => (table: Columns) =>
  trx.getExecutor().adapter instanceof SqliteAdapter ? table.modifyEnd(sql`without rowid`) : table

async function index(schema: Db['schema'], table: string, name: string, columns: string[]) {
  await schema.createIndex(`${table}_${name}`).on(table).columns(columns).execute()
}
