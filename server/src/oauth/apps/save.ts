import type { Db } from '../../db/open.ts'
import { fail, invalidBody } from '../../errors/failure.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import { type AppRecord, renameNamesakes, updateAppFields } from '../../store/oauth/apps.ts'
import * as store from '../../store/oauth/clients.ts'
import { createClientId, storeNewApp, unverifiedAccount } from '../clients.ts'
import {
  type AppSettings,
  type ClientSettings,
  checkApp,
  environments,
  type SettingIssue,
} from './settings.ts'

/** A new app with its secrets, which are only available here. */
export type NewApp = Awaited<ReturnType<typeof createOAuthApp>>

interface AppParts {
  readonly accountId: string
  readonly settings: AppSettings
  /** The user who creates it, or null for the operator. */
  readonly createdBy?: string | null
  /** Default: random ids. */
  readonly clientIds?: Readonly<Record<store.AppEnvironment, string | undefined>>
}

/**
 * Creates an app with its two sets of credentials, in the caller's transaction. Throws 400, and
 * `UniqueViolation` if the account has an app of this name.
 */
export async function createOAuthApp(
  ctx: OperatorContext,
  trx: Db,
  { accountId, settings, createdBy = null, clientIds }: AppParts,
) {
  refuseIssues(checkApp(settings, ctx.config))
  await claimName(trx, settings)
  const clientOf = (environment: store.AppEnvironment) => ({
    ...deduplicate(settings[environment]),
    clientId: clientIds?.[environment] ?? createClientId(ctx.random),
  })
  const disabledAt = settings.disabled ? ctx.clock.now() : null
  const app = { ...settings, accountId, createdBy, disabledAt, disabledBy: null }
  return storeNewApp(ctx, trx, app, {
    development: clientOf('development'),
    production: clientOf('production'),
  })
}

/**
 * Replaces an app's settings, in the caller's transaction. `by` is the user who makes the change,
 * null for the operator. Throws 400, and `UniqueViolation` if the name is taken.
 */
export async function saveApp(
  ctx: OperatorContext,
  trx: Db,
  app: AppRecord,
  settings: AppSettings,
  by: string | null = null,
): Promise<void> {
  refuseIssues(checkApp(settings, ctx.config))
  if (settings.type !== app.type) fail(400, 'The type of an app cannot be changed.')
  const disabledAt = settings.disabled ? (app.disabledAt ?? ctx.clock.now()) : null
  // A developer cannot replace the operator as the one who disabled the app.
  const disabler = app.disabledAt === null ? by : app.disabledBy
  const disabledBy = disabledAt === null || by === null ? null : disabler
  await claimName(trx, settings)
  await updateAppFields(trx, { ...app, ...settings, disabledAt, disabledBy })
  const clients = await store.findClients(trx, app.id)
  for (const environment of environments) {
    const { clientId } = clients[environment]
    const { scopes, optionalScopes, redirectUris } = deduplicate(settings[environment])
    await store.updateClientScopes(trx, clientId, scopes, optionalScopes)
    await store.replaceRedirectUris(trx, clientId, redirectUris)
  }
}

export function refuseIssues(issues: readonly SettingIssue[]): void {
  if (issues.length > 0) throw invalidBody(issues)
}

/** Other apps claim no names, because any developer can create them. */
async function claimName(trx: Db, { name, visibility, disabled }: AppSettings): Promise<void> {
  if (visibility === 'public' && !disabled) await renameNamesakes(trx, unverifiedAccount.id, name)
}

/** Removes duplicates. A scope in both lists is optional. */
function deduplicate({ scopes, optionalScopes, redirectUris }: ClientSettings): ClientSettings {
  const optional = new Set(optionalScopes)
  return {
    scopes: [...new Set(scopes)].filter((scope) => !optional.has(scope)),
    optionalScopes: [...optional],
    redirectUris: [...new Set(redirectUris)],
  }
}
