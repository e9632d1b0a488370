import { sql } from 'kysely'
import { type Fields, toRow } from '../../db/fields.ts'
import { isPostgres } from '../../db/handle.ts'
import type { Db } from '../../db/open.ts'

const fields = ['id', 'appId', 'event', 'body', 'createdAt', 'trace'] as const

/** An event on its way. */
export type EventRecord = Pick<Fields<'webhook_events'>, (typeof fields)[number]>

/** Keeps a new event, due at once. */
export async function insertEvent(trx: Db, event: EventRecord): Promise<void> {
  await trx
    .insertInto('webhook_events')
    .values({ ...toRow(event, fields), next_attempt_at: event.createdAt, attempts: 0 })
    .execute()
}

/** The apps that have events due. Costs a step of the index for each, however many events wait. */
export async function listDueApps(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .withRecursive('waiting(app_id)', (cte) =>
      cte
        .selectFrom('webhook_events')
        .select((eb) => eb.fn.min('app_id').as('app_id'))
        .where('next_attempt_at', 'is not', null)
        .unionAll(
          cte
            .selectFrom('waiting')
            .select((eb) =>
              eb
                .selectFrom('webhook_events')
                .select((inner) => inner.fn.min('webhook_events.app_id').as('app_id'))
                .whereRef('webhook_events.app_id', '>', 'waiting.app_id')
                .where('next_attempt_at', 'is not', null)
                .$asScalar()
                .as('app_id'),
            )
            .where('waiting.app_id', 'is not', null),
        ),
    )
    .selectFrom('waiting')
    .select('app_id as appId')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('webhook_events')
          .select(sql.lit(1).as('one'))
          .whereRef('webhook_events.app_id', '=', 'waiting.app_id')
          .where('next_attempt_at', '<=', now),
      ),
    )
    .execute()
  return rows.map(({ appId }) => appId)
}

/** An event that this sender has taken; no other takes it until `leasedUntil`, ms. */
export interface TakenEvent extends EventRecord {
  leasedUntil: number
}

/** Takes up to `limit` due events of an app, the longest due first. Of several senders one gets each. */
export async function takeDueEvents(
  trx: Db,
  { appId, now, limit, leasedUntil }: DueEvents,
): Promise<TakenEvent[]> {
  let due = trx
    .selectFrom('webhook_events')
    .select(['id', 'next_attempt_at as dueAt'])
    .where('app_id', '=', appId)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(limit)
  // What another sender is taking: two that waited for each other's events would both stand still.
  if (isPostgres(trx)) due = due.forUpdate().skipLocked()
  const taken: TakenEvent[] = []
  for (const { id, dueAt } of await due.execute()) {
    const row = await trx
      .updateTable('webhook_events')
      .set({ next_attempt_at: leasedUntil })
      .where('id', '=', id)
      .where('next_attempt_at', '=', dueAt)
      .returning(['event', 'body', 'created_at as createdAt', 'trace'])
      .executeTakeFirst()
    if (row) taken.push({ id, appId, leasedUntil, ...row })
  }
  return taken
}

interface DueEvents {
  readonly appId: string
  /** Milliseconds since 1970, as `leasedUntil`. */
  readonly now: number
  readonly limit: number
  readonly leasedUntil: number
}

/** Gives back an event whose attempt was broken off, due at once. */
export async function releaseEvent(
  trx: Db,
  { id, leasedUntil }: TakenEvent,
  now: number,
): Promise<void> {
  await trx
    .updateTable('webhook_events')
    .set({ next_attempt_at: now })
    .where('id', '=', id)
    .where('next_attempt_at', '=', leasedUntil)
    .execute()
}

/** Counts an attempt; gives its number, from 1, and whether the event was delivered before. */
export async function countAttempt(
  trx: Db,
  id: string,
): Promise<{ number: number; isDelivered: boolean } | undefined> {
  const row = await trx
    .updateTable('webhook_events')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .returning(['attempts', 'delivered_at'])
    .executeTakeFirst()
  return row && { number: row.attempts, isDelivered: row.delivered_at !== null }
}

/** What becomes of an event after an attempt. Times are milliseconds since 1970. */
export interface EventFate {
  deliveredAt: number | undefined
  /** Null when nothing is left to try. */
  nextAttemptAt: number | null
  now: number
}

/** Writes down what becomes of an event; who has asked for it once more meanwhile keeps it due. */
export async function settleEvent(
  trx: Db,
  { id, leasedUntil }: TakenEvent,
  { deliveredAt, nextAttemptAt, now }: EventFate,
): Promise<void> {
  if (deliveredAt !== undefined) {
    await trx
      .updateTable('webhook_events')
      .set({ delivered_at: deliveredAt })
      .where('id', '=', id)
      .where('delivered_at', 'is', null)
      .execute()
  }
  await trx
    .updateTable('webhook_events')
    .set({ next_attempt_at: nextAttemptAt, done_at: nextAttemptAt === null ? now : null })
    .where('id', '=', id)
    .where('next_attempt_at', '=', leasedUntil)
    .execute()
}

/** Makes an event of an app due at once, whatever became of it. */
export async function makeDue(trx: Db, appId: string, id: string, now: number): Promise<void> {
  await trx
    .updateTable('webhook_events')
    .set({ next_attempt_at: now, done_at: null })
    .where('id', '=', id)
    .where('app_id', '=', appId)
    .execute()
}

/** Removes up to `limit` events, with their attempts, that were done before a time (ms); gives how many. */
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
