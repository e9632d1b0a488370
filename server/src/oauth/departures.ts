import type { Db } from '../db/open.ts'
import type { Departures } from '../platform/user-changes.ts'
import { type EndedAccess, writeRemovals } from '../webhooks/outbox.ts'
import type { OAuthContext } from './context.ts'
import { endGrantsOfRemovedUser } from './store/grants.ts'

/**
 * Ends all that a user has allowed, in the transaction that removes the user, and writes an event to
 * each public app: it has to delete the data as if the user had removed it (OAuth spec §6).
 */
export async function endAccessOfUser(
  ctx: Pick<OAuthContext, 'encryption' | 'random' | 'trace'>,
  trx: Db,
  { userId, now }: { userId: string; now: number },
): Promise<void> {
  const apps = new Map<string, EndedAccess[]>()
  const { grants } = await endGrantsOfRemovedUser(trx, userId, now)
  for (const grant of grants) apps.set(grant.appId, [...(apps.get(grant.appId) ?? []), grant])
  for (const [appId, ended] of apps) await writeRemovals(ctx, trx, { appId, ended, now })
}

/** What becomes of the apps of users who are removed through the resource API. */
export const departuresOf = (
  ctx: Pick<OAuthContext, 'encryption' | 'random' | 'steadyNow' | 'webhooks'>,
): Departures => ({
  endAccess: (trx, userId, trace) =>
    endAccessOfUser({ ...ctx, trace }, trx, { userId, now: ctx.steadyNow() }),
  announce: () => ctx.webhooks.wake(),
})
