import { didYouMean } from '@skillpass/contract'
import { currentOperator, recordOnApp } from '../../audit/record.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import { listNames } from '../../store/names.ts'
import * as store from '../../store/oauth/apps.ts'
import { type Clients, findClients } from '../../store/oauth/clients.ts'
import { endAccessOfApp } from '../end-access.ts'

/** Finds an app by id, client id or name. Throws 404, and 400 if several apps have the name. */
export async function findNamedApp(db: Db, name: string): Promise<store.AppRecord> {
  const found = await store.findAppsNamed(db, name)
  const exact = found.filter((app) => app.name === name || app.id === name)
  const [app, other] = exact.length === 1 ? exact : found
  if (!app) fail(404, `There is no app ${name}.${didYouMean(name, await listNames(db, 'app'))}`)
  if (other) {
    const ids = found.map(
      ({ id, name: appName, accountName }) => `${id} (${appName} of ${accountName})`,
    )
    fail(400, `Several apps are named ${name}. Specify one by its id: ${ids.join(', ')}.`)
  }
  return app
}

export type ShownApp = store.AppRecord &
  Clients & { readonly grants: number; readonly users: number }

/** Describes an app for the operator. Throws 404, and 400 if several apps have the name. */
export async function showApp({ db }: OperatorContext, name: string) {
  const app = await findNamedApp(db.read, name)
  const clients = await findClients(db.read, app.id)
  return { ...app, ...clients, ...(await store.countUse(db.read, app.id)) }
}

/**
 * Disables or enables an app. Tokens of a disabled app get error 4717, and only the operator can
 * enable it again. Throws 404, and 400 if the app is already in that state.
 */
export const setAppState = (
  ctx: OperatorContext,
  name: string,
  state: 'disabled' | 'enabled',
  reason: string,
): Promise<store.AppRecord> =>
  change(ctx, name, `app.${state}`, reason, async (trx, app) => {
    const at = state === 'disabled' ? ctx.clock.now() : null
    if (await store.setAppDisabled(trx, app.id, at)) return app
    fail(400, `${app.name} is ${at === null ? 'not disabled' : 'already disabled'}.`)
  })

/**
 * Deletes an app. Ends all its access (its endpoint receives events), invalidates its credentials
 * and frees its name. Throws 404.
 */
export const deleteApp = (ctx: OperatorContext, name: string, reason: string) =>
  change(ctx, name, 'app.deleted', reason, async (trx, app) => {
    const ended = await endAccessOfApp(ctx, trx, app.id)
    await store.markAppDeleted(trx, app, ctx.clock.now())
    return { ...app, ended }
  })

const change = <T>(
  ctx: OperatorContext,
  name: string,
  action: 'app.disabled' | 'app.enabled' | 'app.deleted',
  reason: string,
  act: (trx: Db, app: store.AppRecord) => Promise<T>,
): Promise<T> =>
  ctx.db.write(async (trx) => {
    const app = await findNamedApp(trx, name)
    const done = await act(trx, app)
    const by = { who: currentOperator(), accountId: app.accountId }
    await recordOnApp(ctx, trx, by, action, app.id, reason)
    return done
  })
