import { sql } from 'kysely'
import { columnsOf, countDeleted, type Db, type Fields, prepared, toRow } from '../../db/query.ts'

const fields = ['id', 'organizationId', 'url', 'events', 'secret', 'createdAt'] as const

export type WebhookRecord = Fields<'organization_webhooks'>

export const insertWebhook = (trx: Db, webhook: WebhookRecord) =>
  trx.insertInto('organization_webhooks').values(toRow(webhook, fields)).execute()

/** Lists the webhooks of an organization, oldest first. */
export const listWebhooks = (db: Db, organizationId: string): Promise<WebhookRecord[]> =>
  db
    .selectFrom('organization_webhooks')
    .select(columnsOf('organization_webhooks', fields))
    .where('organization_id', '=', organizationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Deletes a webhook and its events. Returns the number of deleted webhooks. */
export async function deleteWebhook(trx: Db, organizationId: string, id: string): Promise<number> {
  const webhook = { id, organization_id: organizationId }
  const deleted = trx.deleteFrom('organization_webhooks').where((eb) => eb.and(webhook))
  const count = await countDeleted(deleted)
  if (count === 0) return 0
  // Locks the events, so that a sender stores no further attempt.
  const events = trx.updateTable('webhook_events').set({ next_attempt_at: null })
  await events.where('app_id', '=', id).execute()
  await trx
    .deleteFrom('webhook_attempts')
    .where('event_id', 'in', (eb) =>
      eb.selectFrom('webhook_events').select('id').where('app_id', '=', id),
    )
    .execute()
  await trx.deleteFrom('webhook_events').where('app_id', '=', id).execute()
  return count
}

interface OwnersEvent {
  readonly [field: string]: string | number | null
  readonly ownerId: string
  readonly id: string
  readonly event: string
  readonly body: string
  readonly at: number
  readonly trace: string | null
}

/** Writes an event for each webhook of an owner that receives its type. */
export const insertOwnersEvent = prepared(
  (db, { ownerId, id, event, body, at, trace }: OwnersEvent) =>
    db
      .insertInto('webhook_events')
      .columns([
        ...(['id', 'app_id', 'event', 'body', 'trace', 'created_at'] as const),
        ...(['next_attempt_at', 'attempts', 'sequence'] as const),
      ])
      .expression(
        sql`select id || '.' || ${id}, id, ${event}, ${body}, ${trace}, cast(${at} as bigint),
        cast(${at} as bigint), 0, (select coalesce(max(sequence), 0) + 1 from webhook_events)
        from organization_webhooks where organization_id = ${ownerId}
          and ' ' || events || ' ' like '% ' || ${event} || ' %'`,
      ),
)
