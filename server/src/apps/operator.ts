import { currentOperator, type Operating } from '../audit/operator.ts'
import { recordOnApp } from '../audit/record.ts'
import { listNames } from '../audit/store/names.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { didYouMean } from '../names/closest.ts'
import { endAccessOfApp, type OperatorContext, type RevokedAccess } from '../oauth/operator.ts'
import { countUse, findAppsNamed, markAppDeleted, setAppDisabled } from './store/all-apps.ts'
import type { AppRecord } from './store/apps.ts'
import { type Clients, findClients } from './store/clients.ts'

/** What the operator does to apps. Servers that run follow at once: each use of a token asks. */

/** The app that an id, a client id or a name names. Throws 404, and 400 for a name of several apps. */
export async function findNamedApp(db: Db, name: string): Promise<AppRecord> {
  const found = await findAppsNamed(db, name)
  const exact = found.filter((app) => app.name === name || app.id === name)
  const [app, other] = exact.length === 1 ? exact : found
  if (!app) fail(404, `There is no app ${name}.${didYouMean(name, await listNames(db, 'app'))}`)
  if (other) {
    const ids = found.map(({ id, name: own, accountName }) => `${id} (${own} of ${accountName})`)
    fail(400, `Several apps are named ${name}. Give the id of one: ${ids.join(', ')}.`)
  }
  return app
}

export type ShownApp = AppRecord & Clients & { readonly grants: number; readonly users: number }

/** An app as the operator sees it. Throws 404, and 400 for a name of several apps. */
export async function showApp({ db }: Pick<Operating, 'db'>, name: string): Promise<ShownApp> {
  const app = await findNamedApp(db.read, name)
  const clients = await findClients(db.read, app.id)
  return { ...app, ...clients, ...(await countUse(db.read, app.id)) }
}

/**
 * Disables an app, so that its tokens are refused with 4717 and only the operator enables it again; or
 * enables it, whoever has disabled it. Throws 404, and 400 if that is so already.
 */
export const switchApp = (
  ctx: Operating,
  name: string,
  state: 'disabled' | 'enabled',
  reason: string,
): Promise<AppRecord> =>
  change(ctx, name, `app.${state}`, reason, async (trx, app) => {
    const at = state === 'disabled' ? ctx.clock.now() : null
    if (await setAppDisabled(trx, app.id, at)) return app
    fail(400, `${app.name} is ${at === null ? 'not disabled' : 'disabled already'}.`)
  })

/**
 * Deletes an app: all its access ends, of which its endpoint is told, its credentials are those of no app,
 * and its name is free. Throws 404.
 */
export const deleteApp = (
  ctx: OperatorContext,
  name: string,
  reason: string,
): Promise<AppRecord & { readonly ended: RevokedAccess }> =>
  change(ctx, name, 'app.deleted', reason, async (trx, app) => {
    const ended = await endAccessOfApp(ctx, trx, app.id)
    await markAppDeleted(trx, app, ctx.clock.now())
    return { ...app, ended }
  })

const change = <T>(
  ctx: Operating,
  name: string,
  action: 'app.disabled' | 'app.enabled' | 'app.deleted',
  reason: string,
  act: (trx: Db, app: AppRecord) => Promise<T>,
): Promise<T> =>
  ctx.db.write(async (trx) => {
    const app = await findNamedApp(trx, name)
    const done = await act(trx, app)
    const by = { who: currentOperator(), accountId: app.accountId }
    await recordOnApp(ctx, trx, by, action, app.id, reason)
    return done
  })
