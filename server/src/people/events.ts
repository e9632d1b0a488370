import { type AppEvent, appEvents, type EventName, eventScopes } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { findAccount } from '../store/platform/accounts.ts'
import { insertEvent, listSubscriberAccesses, listSubscribers } from '../store/webhooks.ts'
import { reachesUserOf } from './bearer.ts'

/** An event to write, without the fields that every event has. */
type NewEvent<E = AppEvent> = E extends { event: EventName; payload: infer P }
  ? Omit<E, 'event_ts' | 'payload'> & { payload: Omit<P, 'account_id'> }
  : never

/** The user whom an event is about, or the host of its meeting. */
export interface EventSubject {
  readonly accountId: string
  readonly userId: string
}

/**
 * Writes an event, in the transaction of the change that it reports, for each subscribed app that
 * may see its subject. Fields that the event does not declare are left out.
 */
export async function writeEvent(
  ctx: OperatorContext,
  trx: Db,
  { accountId, userId, payload, ...event }: NewEvent & EventSubject,
): Promise<void> {
  const apps = await appsThatSee(trx, event.event, { accountId, userId })
  if (apps.length === 0) return
  const createdAt = ctx.steadyNow()
  const schema = appEvents.find(({ shape }) => shape.event.value === event.event)
  const whole = { ...event, event_ts: createdAt, payload: { account_id: accountId, ...payload } }
  const body = JSON.stringify(schema?.parse(whole))
  for (const appId of apps) {
    const id = ctx.random.uuid()
    await insertEvent(trx, { id, appId, event: event.event, body, createdAt, trace: ctx.trace })
  }
}

async function appsThatSee(trx: Db, event: EventName, { accountId, userId }: EventSubject) {
  if ((await listSubscribers(trx, event)).length === 0) return []
  const account = await findAccount(trx, accountId)
  if (!account) return []
  const requirement = eventScopes(event)
  const accesses = await listSubscriberAccesses(trx, event, userId, account)
  const seeing = accesses.filter((one) => reachesUserOf(account, { ...one, requirement }, userId))
  return [...new Set(seeing.map(({ appId }) => appId))]
}
