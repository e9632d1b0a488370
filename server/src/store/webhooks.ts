import { type EventName, parseScopes } from '@skillpass/contract'
import { sql } from 'kysely'
import { columnsOf, type Db, type Fields, isPostgres, toRow, valuesOf } from '../db/query.ts'
import type { Sealed } from '../secrets/encryption.ts'
import { isGrantUsable, reachOthers } from './oauth/grants.ts'
import type { AccountRecord } from './platform/accounts.ts'

const attemptFields = ['number', 'startedAt', 'durationMs', 'status', 'error'] as const

/** A delivery attempt, numbered from 1. If validation failed, `status` is its response status. */
type AttemptRecord = Pick<Fields<'webhook_attempts'>, (typeof attemptFields)[number]>

const eventFields = ['id', 'event', 'createdAt', 'nextAttemptAt', 'deliveredAt'] as const

const fields = ['id', 'appId', 'event', 'body', 'createdAt', 'trace'] as const

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

/** Lists the deliveries of all apps with their bodies, oldest first. */
export async function listAllDeliveries(db: Db) {
  const events = await db
    .selectFrom('webhook_events')
    .select([
      ...columnsOf('webhook_events', [...eventFields, ...fields]),
      'attempts as attemptCount',
    ])
    .orderBy('sequence')
    .execute()
  return withAttempts(db, events)
}

/** Returns when the next attempt is due, ms, or undefined if none is planned. */
export async function findNextAttempt(db: Db): Promise<number | undefined> {
  const query = db
    .selectFrom('webhook_events')
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
  return (await query.executeTakeFirst())?.at ?? undefined
}

async function withAttempts<T extends EventRow & { attemptCount: number }>(
  db: Db,
  events: readonly T[],
) {
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

type EventRecord = Pick<Fields<'webhook_events'>, (typeof fields)[number]>

export const insertEvent = (trx: Db, event: EventRecord) =>
  trx
    .insertInto('webhook_events')
    .values((eb) => ({
      ...toRow(event, fields),
      next_attempt_at: event.createdAt,
      attempts: 0,
      sequence: eb
        .selectFrom('webhook_events')
        .select(sql<number>`coalesce(max(sequence), 0) + 1`.as('next')),
    }))
    .execute()

export function listDueApps(db: Db, now: number): Promise<string[]> {
  const due = db.selectFrom('webhook_events').where('next_attempt_at', '<=', now)
  return valuesOf(due.select('app_id').distinct(), 'app_id')
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
    .orderBy('sequence')
    .limit(due.limit)
  // Skip locked events. Senders that waited for each other would deadlock.
  const ids = isPostgres(trx) ? found.forUpdate().skipLocked() : found
  const taken = await trx
    .updateTable('webhook_events')
    .set({ next_attempt_at: leasedUntil })
    .where('id', 'in', ids)
    .returning([...columnsOf('webhook_events', fields), 'sequence'])
    .execute()
  const inOrder = taken.sort((a, b) => a.sequence - b.sequence)
  return inOrder.map(({ sequence, ...event }) => ({ ...event, leasedUntil }))
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
    .where((eb) => eb.and({ id, delivered_at: null }))
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
    .where((eb) => eb.and({ id, next_attempt_at: leasedUntil }))
    .execute()

export const makeDue = (trx: Db, appId: string, id: string, now: number) =>
  trx
    .updateTable('webhook_events')
    .set({ next_attempt_at: now, done_at: null })
    .where((eb) => eb.and({ id, app_id: appId }))
    .execute()

/** Deletes and counts up to `limit` events that were done before `before` (ms). */
export async function purgeDoneEvents(trx: Db, before: number, limit: number): Promise<number> {
  const done = trx.selectFrom('webhook_events').select('id').where('done_at', '<', before)
  const ids = await valuesOf(done.orderBy('done_at').limit(limit), 'id')
  if (ids.length === 0) return 0
  await trx.deleteFrom('webhook_attempts').where('event_id', 'in', ids).execute()
  await trx.deleteFrom('webhook_events').where('id', 'in', ids).execute()
  return ids.length
}

export type EndpointRecord = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>

/** Finds the endpoint of an app or of an organization's webhook, if there is one. */
export const findEndpoint = async (db: Db, id: string) =>
  (await findAppEndpoint(db, id)) ?? findWebhookEndpoint(db, id)

const findAppEndpoint = (db: Db, appId: string) =>
  db
    .selectFrom('apps')
    .select([
      'id as appId',
      'deauthorization_url as url',
      'validated_url as validatedUrl',
      'webhook_secret as secret',
      'previous_webhook_secret as previousSecret',
      'previous_webhook_secret_expires_at as previousSecretExpiresAt',
    ])
    .where('id', '=', appId)
    .executeTakeFirst()

/** Webhooks of organizations are not validated, and their secrets not rotated. */
const findWebhookEndpoint = (db: Db, id: string) =>
  db
    .selectFrom('organization_webhooks')
    .select(['id as appId', 'url', 'url as validatedUrl', 'secret'])
    .select([
      sql<Sealed | null>`null`.as('previousSecret'),
      sql<number | null>`null`.as('previousSecretExpiresAt'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * Finds the production client and the secret of an app that receives removal events: a public app
 * with an endpoint (spec/oauth.md#deauthorization-webhook). Development credentials cause no
 * events.
 */
export const findSubscription = (db: Db, appId: string) =>
  db
    .selectFrom('apps')
    .innerJoin('clients', 'clients.app_id', 'apps.id')
    .select(['clients.client_id as clientId', 'apps.webhook_secret as secret'])
    .where((eb) => eb.and({ 'apps.id': appId, 'apps.visibility': 'public' }))
    .where('apps.deauthorization_url', 'is not', null)
    .where('clients.environment', '=', 'production')
    .executeTakeFirst()

/** Apps that receive an event if they may see its subject. */
const subscribed = (db: Db, event: EventName) =>
  db
    .selectFrom('apps')
    // The literal lets the query use the partial index.
    .where('apps.events', '<>', sql.lit(''))
    .where(sql<string>`' ' || apps.events || ' '`, 'like', `% ${event} %`)
    .where('apps.deauthorization_url', 'is not', null)
    .where('apps.disabled_at', 'is', null)

export const listSubscribers = (db: Db, event: EventName): Promise<string[]> =>
  valuesOf(subscribed(db, event).select('apps.id as id'), 'id')

/**
 * Accesses of subscribed apps that could reach a user of an account: grants, and server-to-server
 * apps, which act without a user.
 */
export async function listSubscriberAccesses(
  db: Db,
  event: EventName,
  userId: string,
  { id, masterAccountId }: AccountRecord,
) {
  const accounts = masterAccountId === null ? [id] : [id, masterAccountId]
  const grants = await subscribed(db, event)
    .innerJoin('grants', 'grants.app_id', 'apps.id')
    .innerJoin('users as granter', 'granter.id', 'grants.user_id')
    .select(['apps.id as appId', 'grants.account_id as accountId', 'grants.scopes'])
    .select(['granter.id as userId', 'granter.role'])
    .where('grants.account_id', 'in', accounts)
    .where((eb) => eb.or([eb('granter.id', '=', userId), ...reachOthers]))
    .where(isGrantUsable())
    .execute()
  const own = await subscribed(db, event)
    .innerJoin('clients', 'clients.app_id', 'apps.id')
    .select(['apps.id as appId', 'apps.account_id as accountId', 'clients.scopes'])
    .where('apps.account_id', 'in', accounts)
    .where('apps.type', '=', 'server-to-server')
    .execute()
  const all = [...grants, ...own.map((one) => ({ ...one, userId: null, role: null }))]
  return all.map((one) => ({ ...one, scopes: parseScopes(one.scopes) }))
}

/** Marks an address as validated, unless the app has another one by now. */
export const markValidated = (trx: Db, appId: string, url: string) =>
  trx
    .updateTable('apps')
    .set({ validated_url: url })
    .where((eb) => eb.and({ id: appId, deauthorization_url: url }))
    .execute()
