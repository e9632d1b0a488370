import { bounds, isStorable } from '@skillpass/contract'
import { recordOnApp } from '../../audit/record.ts'
import { UniqueViolation } from '../../db/errors.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors/failure.ts'
import type { Context, OperatorContext } from '../../runtime/context.ts'
import { type PageRequest, readPage, textPlace } from '../../runtime/page-token.ts'
import {
  type AppRecord,
  countApps,
  findApp,
  listApps,
  listAppsByName,
  lockApp,
  markAppDeleted,
} from '../../store/oauth/apps.ts'
import {
  type ClientRecord,
  type Clients,
  findClients,
  findClientsOf,
} from '../../store/oauth/clients.ts'
import { isReservedTitle, reservedNameMessage } from '../../text/reserved.ts'
import { endAccessOfApp } from '../end-access.ts'
import { type AppManager, requireManagement, requireScopes } from './app-manager.ts'
import { createOAuthApp, type NewApp, refuseIssues, saveApp } from './save.ts'
import {
  type AppSettings,
  changedFields,
  changeSettings,
  checkNewAddresses,
  checkNewScopes,
  environments,
  newSettings,
  type SettingChanges,
  type SettingIssue,
  settingsOf,
} from './settings.ts'

export interface ManagedApp extends AppRecord {
  readonly development: ClientRecord
  readonly production: ClientRecord
  /** Whether the endpoint has passed validation (spec/decisions.md#endpoint-validation). */
  readonly endpointIsValid: boolean
}

/** Returns a page of the manager's apps, sorted by name. Throws validation_failed. */
export async function listManagedApps(
  { db }: Context,
  manager: AppManager,
  pageRequest: PageRequest,
) {
  const { accountId, userId, managesAllApps } = manager
  // An account token without a user manages no apps.
  const selection = { accountId, createdBy: managesAllApps ? undefined : (userId ?? '') }
  const page = await readPage(
    `apps ${accountId} ${selection.createdBy ?? ''}`,
    textPlace,
    pageRequest,
    (after, limit) => listApps(db.read, { ...selection, after: after?.[0] ?? '', limit }),
    ({ name }) => [name],
  )
  const ids = page.items.map(({ id }) => id)
  const clientsOf = await findClientsOf(db.read, ids)
  const items = page.items.map((app) => toManagedApp(app, clientsOf(app.id)))
  return { ...page, items, total: await countApps(db.read, selection) }
}

/** Returns an app that `manager` manages. Throws app_not_found for other apps as well. */
export const getManagedApp = ({ db }: Context, manager: AppManager, appId: string) =>
  findManaged(db.read, manager, appId, findApp)

/** Locks an app that the manager may change. Throws app_not_found, insufficient_scope. */
export async function lockManagedApp(trx: Db, manager: AppManager, appId: string) {
  const app = await findManaged(trx, manager, appId, lockApp)
  requireManagement(manager, app)
  return app
}

/** Finds an app of the account by its name, if `manager` manages it. */
export async function findNamesake({ db }: Context, manager: AppManager, name: string) {
  if (!isStorable(name)) return undefined
  const [app] = await listAppsByName(db.read, name, manager.accountId)
  const isTheirs = manager.managesAllApps || app?.createdBy === manager.userId
  return app && isTheirs ? toManagedApp(app, await findClients(db.read, app.id)) : undefined
}

async function findManaged(db: Db, manager: AppManager, appId: string, find: typeof findApp) {
  const app = isStorable(appId) ? await find(db, appId) : undefined
  if (app?.accountId !== manager.accountId) fail('app_not_found')
  const isCreator = app.createdBy !== null && app.createdBy === manager.userId
  if (!manager.managesAllApps && !isCreator) fail('app_not_found')
  return toManagedApp(app, await findClients(db, app.id))
}

export async function readManagedApp(trx: Db, appId: string): Promise<ManagedApp> {
  const app = (await findApp(trx, appId)) ?? fail('app_not_found')
  return toManagedApp(app, await findClients(trx, appId))
}

const toManagedApp = (app: AppRecord, clients: Clients): ManagedApp => ({
  ...app,
  ...clients,
  endpointIsValid: app.deauthorizationUrl !== null && app.deauthorizationUrl === app.validatedUrl,
})

/** Settings of a new app. A new app is always enabled. */
export type NewSettings = Omit<SettingChanges, 'disabled'> & Pick<AppSettings, 'name' | 'type'>

/**
 * Registers an app in the manager's account. Its secrets are returned only here. Throws 400,
 * insufficient_scope, and not_allowed_now if the name is taken or the user has too many apps.
 */
export async function registerApp(
  ctx: Context,
  manager: AppManager,
  { name, type, ...changes }: NewSettings,
): Promise<NewApp & { app: ManagedApp }> {
  const settings = changeSettings(newSettings(name, type), changes)
  requireManagement(manager, settings)
  requireScopes(manager, settings)
  refuseIssues([...checkNewScopes(settings), ...checkReservedName(name)])
  const { accountId, userId, managesAllApps } = manager
  if (userId === null && !managesAllApps) {
    fail('not_allowed_now', 'The account has no user who could own the app.')
  }
  return ctx.db
    .write(async (trx) => {
      if ((await countApps(trx, { accountId, createdBy: userId })) >= bounds.appsPerUser) {
        fail('not_allowed_now', `You can have at most ${bounds.appsPerUser} apps.`)
      }
      const newApp = await createOAuthApp(ctx, trx, { accountId, settings, createdBy: userId })
      // createOAuthApp has reported all other invalid addresses by now.
      refuseIssues(checkNewAddresses(settings))
      await recordOnApp(ctx, trx, manager, 'app.registered', newApp.id)
      return { ...newApp, app: await readManagedApp(trx, newApp.id) }
    })
    .catch(refuseTakenName)
}

/**
 * Changes the given settings of an app. Throws app_not_found, 400, insufficient_scope, and
 * not_allowed_now if the name is taken or the operator or an admin has disabled the app.
 */
export const updateApp = async (
  ctx: Context,
  manager: AppManager,
  appId: string,
  changes: SettingChanges,
): Promise<ManagedApp> =>
  ctx.db
    .write(async (trx) => {
      const app = await lockManagedApp(trx, manager, appId)
      const present = settingsOf(app)
      const settings = changeSettings(present, changes)
      requireManagement(manager, settings)
      const isRescoped = environments.some((one) => changes[one]?.scopes !== undefined)
      if (isRescoped && app.type === 'server-to-server') {
        requireScopes(manager, app)
        requireScopes(manager, settings)
      }
      if (app.disabledAt !== null && !settings.disabled) refuseEnabling(manager, app)
      const issues = settings.name === present.name ? [] : checkReservedName(settings.name)
      refuseIssues([...checkNewScopes(settings, present), ...issues])
      // Record the admin as the one who disabled the app, so that only an admin can enable it.
      const outranks =
        manager.managesAllApps && changes.disabled === true && app.disabledBy !== null
      const appToSave = outranks ? { ...app, disabledBy: manager.who.id } : app
      await saveApp(ctx, trx, appToSave, settings, manager.who.id)
      refuseIssues(checkNewAddresses(settings, present))
      const changed = await readManagedApp(trx, app.id)
      await recordChanges(ctx, trx, manager, app, changed)
      return changed
    })
    .catch(refuseTakenName)

/**
 * Deletes an app. Ends all its access, for which its endpoint receives events, and frees its name.
 * Throws app_not_found, insufficient_scope, and not_allowed_now for an app that the manager cannot
 * enable.
 */
export const deleteManagedApp = (ctx: Context, manager: AppManager, appId: string) =>
  ctx.db.write(async (trx) => {
    const app = await lockManagedApp(trx, manager, appId)
    if (app.disabledAt !== null) refuseEnabling(manager, app)
    await endAccessOfApp(ctx, trx, appId)
    await markAppDeleted(trx, app, ctx.clock.now())
    await recordOnApp(ctx, trx, manager, 'app.deleted', appId)
  })

/** Throws not_allowed_now if someone of a higher rank disabled the app. */
function refuseEnabling({ managesAllApps, who }: AppManager, { disabledBy }: ManagedApp): void {
  if (disabledBy === null) {
    fail(
      'not_allowed_now',
      'The platform has disabled this app. Only the platform can enable it again.',
    )
  }
  if (!managesAllApps && disabledBy !== who.id) {
    fail('not_allowed_now', 'An admin has disabled this app. Ask an admin to enable it.')
  }
}

/** Records the names of the changed settings. Values may be confidential addresses. */
export async function recordChanges(
  ctx: OperatorContext,
  trx: Db,
  manager: Pick<AppManager, 'who' | 'accountId'>,
  before: ManagedApp,
  after: ManagedApp,
): Promise<void> {
  const fields = changedFields(settingsOf(before), settingsOf(after))
  if (fields.length > 0) {
    await recordOnApp(ctx, trx, manager, 'app.changed', after.id, fields.join(', '))
  }
  const isDisabled = after.disabledAt !== null
  if (isDisabled === (before.disabledAt !== null)) return
  await recordOnApp(ctx, trx, manager, isDisabled ? 'app.disabled' : 'app.enabled', after.id)
}

/**
 * Only the operator can use reserved words, because the consent page shows the name and an app must
 * not look like part of this service.
 */
const checkReservedName = (name: string): SettingIssue[] =>
  isReservedTitle(name) ? [{ path: ['name'], message: reservedNameMessage }] : []

const refuseTakenName = (error: unknown): never => {
  if (!(error instanceof UniqueViolation)) throw error
  return fail(
    'not_allowed_now',
    'The account already has an app with this name. Choose another name.',
  )
}
