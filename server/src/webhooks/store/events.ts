import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import { isPostgres } from '../../db/handle.ts'
import type { Db } from '../../db/open.ts'

const fields = ['id', 'appId', 'event', 'body', 'createdAt', 'trace'] as const

export type EventRecord = Pick<Fields<'webhook_events'>, (typeof fields)[number]>

export const insertEvent = (trx: Db, event: EventRecord) =>
  trx
    .insertInto('webhook_events')
    .values({ ...toRow(event, fields), next_attempt_at: event.createdAt, attempts: 0 })
    .execute()

export async function listDueApps(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_events')
    .select('app_id as appId')
    .distinct()
    .where('next_attempt_at', '<=', now)
    .execute()
  return rows.map(({ appId }) => appId)
}

/** An event reserved for this sender until `leasedUntil`, ms. */
export interface TakenEvent extends EventRecord {
  leasedUntil: number
}

/** Takes up to `limit` due events of an app, longest due first. No other sender gets them. */
export async function takeDueEvents(
  trx: Db,
  due: { appId: string; now: number; limit: number; leasedUntil: number },
): Promise<TakenEvent[]> {
  const { leasedUntil } = due
  const found = trx
    .selectFrom('webhook_events')
    .select('id')
    .where('app_id', '=', due.appId)
    .where('next_attempt_at', '<=', due.now)
    .orderBy('next_attempt_at')
    .limit(due.limit)
  // Skip locked events. Senders that waited for each other would deadlock.
  const ids = isPostgres(trx) ? found.forUpdate().skipLocked() : found
  const taken = await trx
    .updateTable('webhook_events')
    .set({ next_attempt_at: leasedUntil })
    .where('id', 'in', ids)
    .returning(columnsOf('webhook_events', fields))
    .execute()
  return taken.map((event) => ({ ...event, leasedUntil }))
}

/** Counts an attempt. Returns its number, from 1, and whether the event was delivered before. */
export async function countAttempt(trx: Db, id: string) {
  const row = await trx
    .updateTable('webhook_events')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .returning(['attempts', 'delivered_at'])
    .executeTakeFirst()
  return row && { number: row.attempts, wasDelivered: row.delivered_at !== null }
}

/** Marks an event as delivered. The time of the first delivery is kept. */
export const markDelivered = (trx: Db, id: string, now: number) =>
  trx
    .updateTable('webhook_events')
    .set({ delivered_at: now })
    .where('id', '=', id)
    .where('delivered_at', 'is', null)
    .execute()

/**
 * Schedules the next attempt of a taken event (ms), or ends it with null. If a redelivery was
 * requested in the meantime, the event stays due.
 */
export const scheduleEvent = (
  trx: Db,
  { id, leasedUntil }: TakenEvent,
  nextAttemptAt: number | null,
  now: number,
) =>
  trx
    .updateTable('webhook_events')
    .set({ next_attempt_at: nextAttemptAt, done_at: nextAttemptAt === null ? now : null })
    .where('id', '=', id)
    .where('next_attempt_at', '=', leasedUntil)
    .execute()

export const makeDue = (trx: Db, appId: string, id: string, now: number) =>
  trx
    .updateTable('webhook_events')
    .set({ next_attempt_at: now, done_at: null })
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .execute()

/** Deletes and counts up to `limit` events that were done before `before` (ms). */
export async function purgeDoneEvents(trx: Db, before: number, limit: number): Promise<number> {
  const rows = await trx
    .selectFrom('webhook_events')
    .select('id')
    .where('done_at', '<', before)
    .orderBy('done_at')
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return 0
  await trx.deleteFrom('webhook_attempts').where('event_id', 'in', ids).execute()
  await trx.deleteFrom('webhook_events').where('id', 'in', ids).execute()
  return ids.length
}
