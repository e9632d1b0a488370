import { sql } from 'kysely'
import type { Db } from '../handle.ts'

/** Profiles, meetings and what apps do with them, the life of apps, and webhooks. */
export async function up(trx: Db): Promise<void> {
  await addProfiles(trx)
  await createMeetings(trx)
  await addPersonalMeetings(trx)
  await createWebhooks(trx)
}

export async function down({ schema }: Db): Promise<void> {
  const tables = [
    'webhook_attempts',
    'webhook_events',
    'chat_messages',
    'content_accesses',
    'meeting_tokens',
    'meeting_occurrences',
    'meetings',
  ]
  for (const table of tables) await schema.dropTable(table).execute()
  await schema.dropIndex('users_pmi').execute()
  for (const [column] of profile) await schema.alterTable('users').dropColumn(column).execute()
  for (const column of appColumns) await schema.alterTable('apps').dropColumn(column).execute()
}

/** Columns of a profile with what they hold before anybody fills them in. */
const profile = [
  ['type', 'integer', 1],
  ['pmi', 'bigint', 0],
  ['display_name', 'text', ''],
  ['timezone', 'text', 'UTC'],
  ['language', 'text', 'en-US'],
  ['dept', 'text', ''],
  ['company', 'text', ''],
  ['job_title', 'text', ''],
  ['location', 'text', ''],
] as const

const appColumns = [
  'created_by',
  'disabled_by',
  'validated_url',
  'previous_webhook_secret',
  'previous_webhook_secret_expires_at',
] as const

async function addProfiles({ schema }: Db): Promise<void> {
  for (const [name, type, value] of profile) {
    await schema
      .alterTable('users')
      .addColumn(name, type, (column) => column.notNull().defaultTo(value))
      .execute()
  }
}

async function createMeetings({ schema }: Db): Promise<void> {
  await schema
    .createTable('meetings')
    .addColumn('id', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('uuid', 'text', (column) => column.notNull().unique())
    .addColumn('host_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('topic', 'text', (column) => column.notNull())
    .addColumn('type', 'integer', (column) => column.notNull())
    .addColumn('start_time', 'bigint')
    // When the last occurrence is over; none where there is no fixed time.
    .addColumn('end_time', 'bigint')
    .addColumn('duration', 'integer', (column) => column.notNull())
    .addColumn('timezone', 'text', (column) => column.notNull())
    .addColumn('agenda', 'text', (column) => column.notNull())
    .addColumn('password', 'text', (column) => column.notNull())
    .addColumn('recurrence', 'text')
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .execute()
  await schema
    .createIndex('meetings_host')
    .on('meetings')
    // All that a list's conditions ask for, so that no row is read that is not on the page.
    .columns(['host_id', 'created_at', 'id', 'type', 'end_time', 'started_at', 'ended_at'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await schema
    .createTable('meeting_occurrences')
    .addColumn('meeting_id', 'bigint', (column) => column.notNull().references('meetings.id'))
    .addColumn('start_time', 'bigint', (column) => column.notNull())
    .addColumn('duration', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('meeting_occurrences_key', ['meeting_id', 'start_time'])
    .execute()
  await schema
    .createTable('meeting_tokens')
    .addColumn('key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    // Null for account tokens. What ends the grant ends the token, so nothing else has to.
    .addColumn('grant_id', 'text')
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('meeting_tokens_expiry')
    .on('meeting_tokens')
    .column('expires_at')
    .execute()
  await schema
    .createTable('content_accesses')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('meeting_id', 'bigint', (column) => column.notNull().references('meetings.id'))
    .addColumn('app_id', 'text', (column) => column.notNull().references('apps.id'))
    // Null for account tokens. What ends the grant ends the access, so nothing else has to.
    .addColumn('grant_id', 'text')
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('content_type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .execute()
  // What is reported twice at once is kept once. An account token has no grant.
  await schema
    .createIndex('content_accesses_key')
    .unique()
    .on('content_accesses')
    .columns(['meeting_id', 'app_id', 'account_id', 'content_type'])
    .expression(sql`coalesce(grant_id, '')`)
    .where(sql.ref('ended_at'), 'is', null)
    .execute()
  await schema
    .createTable('chat_messages')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('app_id', 'text', (column) => column.notNull().references('apps.id'))
    .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id'))
    .addColumn('robot_jid', 'text', (column) => column.notNull())
    .addColumn('to_jid', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('chat_messages_app')
    .on('chat_messages')
    .columns(['app_id', 'sent_at', 'id'])
    .execute()
}

/** Every user has a personal meeting; its number is ten digits, those of others are eleven. */
async function addPersonalMeetings(trx: Db): Promise<void> {
  const users = await trx.selectFrom('users').select(['id', 'account_id']).orderBy('id').execute()
  const taken = new Set<number>()
  for (const { id, account_id } of users) {
    let pmi: number
    do pmi = 1_000_000_000 + Math.floor(Math.random() * 9_000_000_000)
    while (taken.has(pmi))
    taken.add(pmi)
    await trx.updateTable('users').set({ pmi }).where('id', '=', id).execute()
    await trx
      .insertInto('meetings')
      .values({
        id: pmi,
        uuid: crypto.randomUUID(),
        host_id: id,
        account_id,
        topic: 'Personal Meeting Room',
        type: 4,
        start_time: null,
        end_time: null,
        duration: 60,
        timezone: 'UTC',
        agenda: '',
        // Not for guessing: the host gives it to those who may join.
        password: crypto.randomUUID().slice(0, 8),
        recurrence: null,
        settings: '{}',
        created_at: Date.now(),
        started_at: null,
        ended_at: null,
        deleted_at: null,
      })
      .execute()
  }
  await trx.schema.createIndex('users_pmi').unique().on('users').column('pmi').execute()
}

async function createWebhooks({ schema }: Db): Promise<void> {
  await schema.alterTable('apps').addColumn('created_by', 'text').execute()
  await schema.alterTable('apps').addColumn('disabled_by', 'text').execute()
  // The deauthorization address, once it has answered the validation request.
  await schema.alterTable('apps').addColumn('validated_url', 'text').execute()
  await schema.alterTable('apps').addColumn('previous_webhook_secret', 'text').execute()
  await schema
    .alterTable('apps')
    .addColumn('previous_webhook_secret_expires_at', 'bigint')
    .execute()
  await schema
    .createTable('webhook_events')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('app_id', 'text', (column) => column.notNull().references('apps.id'))
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    // Null when it was delivered or given up. A sender that takes it up sets it on by a lease.
    .addColumn('next_attempt_at', 'bigint')
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('delivered_at', 'bigint')
    // When it was delivered or given up, for the last time.
    .addColumn('done_at', 'bigint')
    .execute()
  // By app, so that one with many events that wait hides none of another.
  await schema
    .createIndex('webhook_events_due')
    .on('webhook_events')
    .columns(['app_id', 'next_attempt_at'])
    .where(sql.ref('next_attempt_at'), 'is not', null)
    .execute()
  await schema
    .createIndex('webhook_events_app')
    .on('webhook_events')
    .columns(['app_id', 'created_at', 'id'])
    .execute()
  await schema
    .createIndex('webhook_events_done')
    .on('webhook_events')
    .column('done_at')
    .where(sql.ref('done_at'), 'is not', null)
    .execute()
  await schema
    .createTable('webhook_attempts')
    .addColumn('event_id', 'text', (column) => column.notNull().references('webhook_events.id'))
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    // What the endpoint answered, or why there is no answer.
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('webhook_attempts_key', ['event_id', 'number'])
    .execute()
}
