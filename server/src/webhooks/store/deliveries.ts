import { columnsOf, type Fields, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'

const attemptFields = ['number', 'startedAt', 'durationMs', 'status', 'error'] as const

/** A delivery attempt, numbered from 1. If validation failed, `status` is its response status. */
export type AttemptRecord = Pick<Fields<'webhook_attempts'>, (typeof attemptFields)[number]>

const eventFields = ['id', 'event', 'createdAt', 'nextAttemptAt', 'deliveredAt'] as const

type EventRow = Pick<Fields<'webhook_events'>, (typeof eventFields)[number]>

/** An event with its latest attempts, oldest first. The receiver sees the same id. */
export type DeliveryRecord = EventRow & {
  state: 'pending' | 'delivered' | 'failed'
  attempts: AttemptRecord[]
}

/** Maximum number of stored attempts per event. Redeliveries are unlimited. */
const maxAttempts = 20

/** Stores an attempt and deletes all but the last `maxAttempts`. */
export async function insertAttempt(trx: Db, eventId: string, attempt: AttemptRecord) {
  await trx
    .insertInto('webhook_attempts')
    .values({ event_id: eventId, ...toRow(attempt, attemptFields) })
    .execute()
  await trx
    .deleteFrom('webhook_attempts')
    .where('event_id', '=', eventId)
    .where('number', '<=', attempt.number - maxAttempts)
    .execute()
}

/** Returns up to `limit` deliveries of an app, newest first, before `before`. */
export async function listDeliveriesOf(
  db: Db,
  appId: string,
  page: { before: readonly [createdAt: number, id: string] | undefined; limit: number },
): Promise<DeliveryRecord[]> {
  const { before, limit } = page
  const query = eventsOf(db, appId).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
  const rest = before
    ? query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(...before)))
    : query
  return withAttempts(db, await rest.execute())
}

export async function findDeliveryOf(db: Db, appId: string, id: string) {
  const [found] = await withAttempts(db, await eventsOf(db, appId).where('id', '=', id).execute())
  return found
}

const eventsOf = (db: Db, appId: string) =>
  db
    .selectFrom('webhook_events')
    .select([...columnsOf('webhook_events', eventFields), 'attempts as attemptCount'])
    .where('app_id', '=', appId)

async function withAttempts(db: Db, events: readonly (EventRow & { attemptCount: number })[]) {
  const ids = events.map(({ id }) => id)
  const attempts = await attemptsOf(db, ids)
  return events.map(({ attemptCount, ...event }) => ({
    ...event,
    state: stateOf(event),
    // Omit an attempt recorded between the two queries, because the event row does not reflect it.
    attempts: (attempts.get(event.id) ?? []).filter(({ number }) => number <= attemptCount),
  }))
}

function stateOf({ deliveredAt, nextAttemptAt }: EventRow): DeliveryRecord['state'] {
  if (deliveredAt !== null) return 'delivered'
  return nextAttemptAt === null ? 'failed' : 'pending'
}

async function attemptsOf(db: Db, eventIds: readonly string[]) {
  const byEvent = new Map<string, AttemptRecord[]>(eventIds.map((id) => [id, []]))
  if (eventIds.length === 0) return byEvent
  const rows = await db
    .selectFrom('webhook_attempts')
    .select(columnsOf('webhook_attempts', ['eventId', ...attemptFields]))
    .where('event_id', 'in', eventIds)
    .orderBy('number')
    .execute()
  for (const { eventId, ...attempt } of rows) byEvent.get(eventId)?.push(attempt)
  return byEvent
}
