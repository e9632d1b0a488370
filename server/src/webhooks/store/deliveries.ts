import { rowOf } from '../../db/columns.ts'
import type { Db } from '../../db/open.ts'

/** One attempt to deliver an event. Times are milliseconds since 1970. */
export interface AttemptRecord {
  /** From 1. */
  number: number
  startedAt: number
  durationMs: number
  /** What the endpoint answered, to its validation where that failed; null where nothing came. */
  status: number | null
  /** What was wrong, as a sentence; null where nothing was. Nothing of the answer's body is kept. */
  error: string | null
}

/** An event with what became of it. Times are milliseconds since 1970. */
export interface DeliveryRecord {
  /** The id that its receiver sees. */
  id: string
  event: string
  createdAt: number
  /** When it is tried again; null when it was delivered or given up. */
  nextAttemptAt: number | null
  deliveredAt: number | null
  state: 'pending' | 'delivered' | 'failed'
  /** The last ones, in the order in which they were made. */
  attempts: AttemptRecord[]
}

/** Attempts of an event that are kept: redelivery has no end. */
const keptAttempts = 20

/** Keeps what an attempt came to, in place of what is older than the last 20. */
export async function insertAttempt(
  trx: Db,
  eventId: string,
  attempt: AttemptRecord,
): Promise<void> {
  await trx
    .insertInto('webhook_attempts')
    .values({
      event_id: eventId,
      ...rowOf(attempt, 'number', 'startedAt', 'durationMs', 'status', 'error'),
    })
    .execute()
  await trx
    .deleteFrom('webhook_attempts')
    .where('event_id', '=', eventId)
    .where('number', '<=', attempt.number - keptAttempts)
    .execute()
}

/** Where a page of deliveries goes on. */
export interface DeliveryPosition {
  readonly createdAt: number
  readonly id: string
}

/** Up to `limit` deliveries of an app, the newest first, from behind a position. */
export async function listDeliveriesOf(
  db: Db,
  appId: string,
  { before, limit }: { before: DeliveryPosition | undefined; limit: number },
): Promise<DeliveryRecord[]> {
  const query = eventsOf(db, appId).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit)
  const rest = before
    ? query.where((eb) =>
        eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(before.createdAt, before.id)),
      )
    : query
  return withAttempts(db, await rest.execute())
}

/** The delivery of an app with this id. */
export async function findDeliveryOf(
  db: Db,
  appId: string,
  id: string,
): Promise<DeliveryRecord | undefined> {
  const [found] = await withAttempts(db, await eventsOf(db, appId).where('id', '=', id).execute())
  return found
}

const eventsOf = (db: Db, appId: string) =>
  db
    .selectFrom('webhook_events')
    .select([
      'id',
      'event',
      'created_at as createdAt',
      'next_attempt_at as nextAttemptAt',
      'delivered_at as deliveredAt',
      'attempts as made',
    ])
    .where('app_id', '=', appId)

async function withAttempts(
  db: Db,
  events: readonly (Omit<DeliveryRecord, 'attempts' | 'state'> & { made: number })[],
): Promise<DeliveryRecord[]> {
  const attempts = await attemptsOf(
    db,
    events.map(({ id }) => id),
  )
  return events.map(({ made, ...event }) => ({
    ...event,
    state: stateOf(event),
    // An attempt that was made between the two queries is not part of what the first has seen.
    attempts: (attempts.get(event.id) ?? []).filter(({ number }) => number <= made),
  }))
}

function stateOf({
  deliveredAt,
  nextAttemptAt,
}: Pick<DeliveryRecord, 'deliveredAt' | 'nextAttemptAt'>): DeliveryRecord['state'] {
  if (deliveredAt !== null) return 'delivered'
  return nextAttemptAt === null ? 'failed' : 'pending'
}

/** The attempts of each of these events. */
async function attemptsOf(
  db: Db,
  eventIds: readonly string[],
): Promise<Map<string, AttemptRecord[]>> {
  const byEvent = new Map<string, AttemptRecord[]>(eventIds.map((id) => [id, []]))
  if (eventIds.length === 0) return byEvent
  const rows = await db
    .selectFrom('webhook_attempts')
    .select([
      'event_id as eventId',
      'number',
      'started_at as startedAt',
      'duration_ms as durationMs',
      'status',
      'error',
    ])
    .where('event_id', 'in', eventIds)
    .orderBy('number')
    .execute()
  for (const { eventId, ...attempt } of rows) byEvent.get(eventId)?.push(attempt)
  return byEvent
}
