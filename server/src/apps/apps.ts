import { bounds } from '@skillpass/contract'
import { type Recording, recordOnApp } from '../audit/record.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { fail } from '../errors/failure.ts'
import { isReservedTitle, reservedNameMessage } from '../names/reserved.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { type Developer, requireReach, requireScopes } from './developer.ts'
import { holdManaged, type ManagedApp, readManaged } from './managed-apps.ts'
import { checkNewAddresses, checkNewScopes, type SettingIssue } from './rules.ts'
import { createApp, type NewApp, refuseIssues, saveApp } from './save.ts'
import {
  type AppSettings,
  changedFields,
  changeSettings,
  environments,
  newSettings,
  type SettingChanges,
  settingsOf,
} from './settings.ts'
import { countApps } from './store/apps.ts'

/** What an app is registered with. Nobody registers an app that is disabled. */
export type NewSettings = Omit<SettingChanges, 'disabled'> & Pick<AppSettings, 'name' | 'type'>

/**
 * Registers an app of the developer's account; its secrets are in this answer alone. Throws
 * 400, insufficient_scope, and not_allowed_now for a taken name and for too many apps of one user.
 */
export async function registerApp(
  ctx: OAuthContext,
  developer: Developer,
  { name, type, ...changes }: NewSettings,
): Promise<NewApp & { app: ManagedApp }> {
  const settings = changeSettings(newSettings(name, type), changes)
  requireReach(developer, settings)
  requireScopes(developer, settings)
  refuseIssues([...checkNewScopes(settings), ...checkTitle(name)])
  const { accountId, userId, seesAll } = developer
  if (userId === null && !seesAll) {
    fail('not_allowed_now', 'The account has no user who could own the app.')
  }
  return ctx.db
    .write(async (trx) => {
      if ((await countApps(trx, { accountId, createdBy: userId })) >= bounds.appsPerUser) {
        fail('not_allowed_now', `A user makes at most ${bounds.appsPerUser} apps.`)
      }
      const made = await createApp(ctx, trx, { accountId, settings, createdBy: userId })
      // Any other mistake in an address has been named by now.
      refuseIssues(checkNewAddresses(settings))
      await recordOnApp(ctx, trx, developer, 'app.registered', made.id)
      return { ...made, app: await readManaged(trx, made.id) }
    })
    .catch(refuseTakenName)
}

/**
 * Changes what is given of an app. Throws app_not_found, 400, insufficient_scope, and
 * not_allowed_now for a taken name and for an app that the operator or an admin has disabled.
 */
export async function updateApp(
  ctx: OAuthContext,
  developer: Developer,
  appId: string,
  changes: SettingChanges,
): Promise<ManagedApp> {
  return ctx.db
    .write(async (trx) => {
      const app = await holdManaged(trx, developer, appId)
      const present = settingsOf(app)
      const settings = changeSettings(present, changes)
      requireReach(developer, settings)
      const isRescoped = environments.some((one) => changes[one]?.scopes !== undefined)
      if (isRescoped && app.type === 'server-to-server') {
        requireScopes(developer, app)
        requireScopes(developer, settings)
      }
      if (app.disabledAt !== null && !settings.disabled) refuseEnabling(developer, app)
      const issues = settings.name === present.name ? [] : checkTitle(settings.name)
      refuseIssues([...checkNewScopes(settings, present), ...issues])
      // An admin's word outranks that of the developer who disabled the app before.
      const outranks = developer.seesAll && changes.disabled === true && app.disabledBy !== null
      const held = outranks ? { ...app, disabledBy: developer.who.id } : app
      await saveApp(ctx, trx, held, settings, developer.who.id)
      refuseIssues(checkNewAddresses(settings, present))
      const changed = await readManaged(trx, app.id)
      await recordChanges(ctx, trx, developer, app, changed)
      return changed
    })
    .catch(refuseTakenName)
}

/** Throws not_allowed_now where somebody of a higher rank has disabled the app. */
function refuseEnabling({ seesAll, who }: Developer, { disabledBy }: ManagedApp): void {
  if (disabledBy === null) {
    fail(
      'not_allowed_now',
      'The platform has disabled this app. Only the platform can enable it again.',
    )
  }
  if (!seesAll && disabledBy !== who.id) {
    fail('not_allowed_now', 'An admin has disabled this app. Ask an admin to enable it.')
  }
}

/** Records what has changed of an app by the names of its fields: values may be addresses to hide. */
export async function recordChanges(
  ctx: Recording,
  trx: Db,
  developer: Developer,
  before: ManagedApp,
  after: ManagedApp,
): Promise<void> {
  const fields = changedFields(settingsOf(before), settingsOf(after))
  if (fields.length > 0) {
    await recordOnApp(ctx, trx, developer, 'app.changed', after.id, fields.join(', '))
  }
  const isDisabled = after.disabledAt !== null
  if (isDisabled === (before.disabledAt !== null)) return
  await recordOnApp(ctx, trx, developer, isDisabled ? 'app.disabled' : 'app.enabled', after.id)
}

/** People take an app for ours by its name on the consent page, so ours are the operator's to give. */
const checkTitle = (name: string): SettingIssue[] =>
  isReservedTitle(name) ? [{ path: ['name'], message: reservedNameMessage }] : []

const refuseTakenName = (error: unknown): never => {
  if (!(error instanceof UniqueViolation)) throw error
  return fail('not_allowed_now', 'The account has an app with this name already.')
}
