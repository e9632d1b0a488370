import { isDeepStrictEqual } from 'node:util'
import { type AppEvent, appEvents, type EventName, eventScopes } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import type { OperatorContext } from '../runtime/context.ts'
import { findAccount } from '../store/platform/accounts.ts'
import { findActingOwner, findUser, type UserRecord } from '../store/platform/users.ts'
import { insertEvent, listSubscriberAccesses, listSubscribers } from '../store/webhooks.ts'
import { toSnake } from '../text/case.ts'
import { type Bearer, reachesUserOf } from './bearer.ts'
import { serializeListedUser } from './serialize.ts'

/** Payload fields that `writeEvent` adds. */
type Added = 'account_id' | 'operator' | 'operator_id' | 'time_stamp'

/** An event to write. Its schema leaves out fields that it does not declare. */
type NewEvent<E = AppEvent> = E extends { event: EventName; payload: infer P }
  ? Omit<E, 'event_ts' | 'payload'> & { payload: Omit<P, Added> }
  : never

/** The user whom an event is about, or the host of its meeting, and who caused it. */
interface EventParties {
  readonly accountId: string
  readonly userId: string
  readonly by?: Pick<Bearer, 'userId' | 'accountId'> | undefined
}

/**
 * Writes an event for each subscribed app that may see the user, in the transaction of the change.
 */
export async function writeEvent(
  ctx: OperatorContext,
  trx: Db,
  { accountId, userId, by, payload, ...event }: NewEvent & EventParties,
): Promise<void> {
  const apps = await appsThatSee(trx, event.event, accountId, userId)
  if (apps.length === 0) return
  const createdAt = ctx.steadyNow()
  const operator =
    by &&
    (await (by.userId === null ? findActingOwner(trx, by.accountId) : findUser(trx, by.userId)))
  const fields = {
    account_id: accountId,
    ...(operator && { operator: operator.email, operator_id: operator.id }),
    ...payload,
    time_stamp: createdAt,
  }
  const schema = appEvents.find(({ shape }) => shape.event.value === event.event)
  const body = JSON.stringify(schema?.parse({ ...event, event_ts: createdAt, payload: fields }))
  for (const appId of apps) {
    const id = ctx.random.uuid()
    await insertEvent(trx, { id, appId, event: event.event, body, createdAt, trace: ctx.trace })
  }
}

async function appsThatSee(trx: Db, event: EventName, accountId: string, userId: string) {
  if ((await listSubscribers(trx, event)).length === 0) return []
  const account = await findAccount(trx, accountId)
  if (!account) return []
  const requirement = eventScopes(event)
  const accesses = await listSubscriberAccesses(trx, event, userId, account)
  const seeing = accesses.filter((one) => reachesUserOf(account, { ...one, requirement }, userId))
  return [...new Set(seeing.map(({ appId }) => appId))]
}

/**
 * Returns the fields in which two states of an object differ, and those in `always`. Undefined if
 * no field differs.
 */
export function differences<T extends object, N extends keyof T & string>(
  before: T,
  after: T,
  always: readonly N[],
) {
  const names = Object.keys({ ...before, ...after }) as N[]
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const pick = (state: T) => toSnake(state, [...new Set([...always, ...changed])])
  return changed.length === 0 ? undefined : { object: pick(after), old_object: pick(before) }
}

/** Writes that a user was added or removed. */
export const writeUserEvent = (
  ctx: OperatorContext,
  trx: Db,
  event: 'user.created' | 'user.deleted',
  user: UserRecord,
  by?: Bearer,
) => {
  const payload = { creation_type: 'create', object: serializeListedUser(user, '') } as const
  return writeEvent(ctx, trx, { event, accountId: user.accountId, userId: user.id, by, payload })
}

/** Writes that a user was changed, unless nothing that other users see differs. */
export async function writeUserUpdate(
  ctx: OperatorContext,
  trx: Db,
  before: UserRecord,
  after: UserRecord,
  by?: Bearer,
): Promise<void> {
  const shown = (user: UserRecord) => serializeListedUser(user, '')
  const payload = differences(shown(before), shown(after), ['id'])
  const { accountId, id: userId } = after
  if (payload) await writeEvent(ctx, trx, { event: 'user.updated', accountId, userId, by, payload })
}
