import { bounds, isStorable, scopeLevel } from '@skillpass/contract'
import {
  createApp,
  type NewApp,
  type RotatedSecret,
  refuseIssues,
  rotateClientSecret,
  rotateWebhookSecret,
  saveApp,
} from '../apps/apps.ts'
import { checkNewScopes, type SettingIssue } from '../apps/rules.ts'
import {
  type AppSettings,
  changedFields,
  changeSettings,
  environments,
  newSettings,
  type SettingChanges,
  settingsOf,
} from '../apps/settings.ts'
import {
  type AppRecord,
  type AppSelection,
  countApps,
  findApp,
  holdApp,
  listApps,
} from '../apps/store/apps.ts'
import {
  type AppEnvironment,
  type ClientRecord,
  type Clients,
  findClients,
  listClientsOf,
} from '../apps/store/clients.ts'
import { type Recording, record } from '../audit/record.ts'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { type ListPage, pageOf, placeOf, textPlace } from '../db/page-token.ts'
import { fail } from '../errors/failure.ts'
import { isReservedTitle, reservedNameMessage } from '../names/reserved.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { missingScopesMessage } from '../platform/bearer.ts'
import type { Developer } from './developer.ts'

export { type Developer, developerOf } from './developer.ts'

/** An app as those who manage it see it. */
export interface ManagedApp extends AppRecord {
  readonly development: ClientRecord
  readonly production: ClientRecord
  /** Whether its endpoint has answered the validation request (open-points D). */
  readonly endpointIsValid: boolean
}

/** What an app is registered with. Nobody registers an app that is disabled. */
export type NewSettings = Omit<SettingChanges, 'disabled'> & Pick<AppSettings, 'name' | 'type'>

/**
 * Up to `limit` of the apps that the developer manages, by name, from behind the page that gave
 * `after`. Throws validation_failed for a token of no page of these.
 */
export async function listManagedApps(
  ctx: Pick<OAuthContext, 'db'>,
  developer: Developer,
  { after = '', limit }: { after?: string | undefined; limit: number },
): Promise<ListPage<ManagedApp> & { total: number }> {
  const { read } = ctx.db
  const selection = selectionOf(developer)
  const list = `apps ${developer.accountId} ${selection?.createdBy ?? ''}`
  const [last] = placeOf(list, after, textPlace) ?? []
  if (!selection) return { items: [], total: 0, nextPageToken: '' }
  const found = await listApps(read, { ...selection, after: last, limit: limit + 1 })
  const { items, nextPageToken } = pageOf(list, found, limit, ({ name }) => [name])
  const clients = await listClientsOf(
    read,
    items.map(({ id }) => id),
  )
  return {
    items: items.map((app) => managed(app, clients.get(app.id))),
    total: await countApps(read, selection),
    nextPageToken,
  }
}

/** An app that the developer manages. Throws app_not_found, for what is another's too. */
export async function getManagedApp(
  ctx: Pick<OAuthContext, 'db'>,
  developer: Developer,
  appId: string,
): Promise<ManagedApp> {
  const found = isStorable(appId) ? await findApp(ctx.db.read, appId) : undefined
  const app = isOwn(developer, found) ?? fail('app_not_found')
  return managed(app, await findClients(ctx.db.read, app.id))
}

/**
 * Registers an app of the developer's account; its secrets are in this answer alone. Throws
 * VALIDATION_ERROR, insufficient_scope, and not_allowed_now for a taken name and for too many apps of one user.
 */
export async function registerApp(
  ctx: Pick<OAuthContext, 'clock' | 'config' | 'db' | 'encryption' | 'network' | 'random'>,
  developer: Developer,
  { name, type, ...changes }: NewSettings,
): Promise<NewApp & { app: ManagedApp }> {
  const settings = changeSettings(newSettings(name, type), changes)
  requireReach(developer, settings)
  requireScopes(developer, settings)
  refuseIssues([...checkNewScopes(settings), ...checkTitle(name)])
  const { accountId, userId, seesAll } = developer
  if (userId === null && !seesAll) {
    fail('not_allowed_now', 'The account has no user whose app it could be.')
  }
  return ctx.db
    .write(async (trx) => {
      if ((await countApps(trx, { accountId, createdBy: userId })) >= bounds.appsPerUser) {
        fail('not_allowed_now', `A user makes at most ${bounds.appsPerUser} apps.`)
      }
      const made = await createApp(ctx, trx, accountId, settings, userId)
      await record(ctx, trx, {
        action: 'app.registered',
        who: developer.actor,
        whom: { kind: 'app', id: made.id },
        accountId,
      })
      return { ...made, app: await readManaged(trx, made.id) }
    })
    .catch(refuseTakenName)
}

/**
 * Changes what is given of an app. Throws app_not_found, VALIDATION_ERROR, insufficient_scope, and
 * not_allowed_now for a taken name and for an app that the operator or an admin has disabled.
 */
export async function updateApp(
  ctx: Recording & Pick<OAuthContext, 'config' | 'db' | 'encryption'>,
  developer: Developer,
  appId: string,
  changes: SettingChanges,
): Promise<ManagedApp> {
  return ctx.db
    .write(async (trx) => {
      const app = await holdManaged(trx, developer, appId)
      const present = settingsOf(app, app)
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
      const held = outranks ? { ...app, disabledBy: developer.actor.id } : app
      await saveApp(ctx, trx, held, settings, developer.actor.id)
      const changed = await readManaged(trx, app.id)
      await recordChanges(ctx, trx, developer, app, changed)
      return changed
    })
    .catch(refuseTakenName)
}

/** Throws not_allowed_now where somebody of a higher rank has disabled the app. */
function refuseEnabling({ seesAll, actor }: Developer, { disabledBy }: ManagedApp): void {
  if (disabledBy === null) {
    fail('not_allowed_now', 'The operator has disabled this app, and alone can enable it.')
  }
  if (!seesAll && disabledBy !== actor.id) {
    fail('not_allowed_now', 'An admin has disabled this app. Ask an admin to enable it.')
  }
}

/** Records what has changed of an app by the names of its fields: values may be addresses to hide. */
export async function recordChanges(
  ctx: Recording,
  trx: Db,
  { actor: who, accountId }: Developer,
  before: ManagedApp,
  after: ManagedApp,
): Promise<void> {
  const act = { who, whom: { kind: 'app', id: after.id }, accountId } as const
  const fields = changedFields(settingsOf(before, before), settingsOf(after, after))
  if (fields.length > 0) {
    await record(ctx, trx, { action: 'app.changed', ...act, note: fields.join(', ') })
  }
  const isDisabled = after.disabledAt !== null
  if (isDisabled === (before.disabledAt !== null)) return
  await record(ctx, trx, { action: isDisabled ? 'app.disabled' : 'app.enabled', ...act })
}

/** People take an app for ours by its name on the consent page, so ours are the operator's to give. */
const checkTitle = (name: string): SettingIssue[] =>
  isReservedTitle(name) ? [{ path: ['name'], message: reservedNameMessage }] : []

const refuseTakenName = (error: unknown): never => {
  if (!(error instanceof UniqueViolation)) throw error
  return fail('not_allowed_now', 'The account has an app with this name already.')
}

type Rotating = Pick<
  OAuthContext,
  'clock' | 'db' | 'encryption' | 'network' | 'random' | 'steadyNow'
>

/** Gives one set of credentials of an app a new secret. Throws app_not_found, insufficient_scope. */
export async function rotateManagedClientSecret(
  ctx: Rotating,
  developer: Developer,
  appId: string,
  environment: AppEnvironment,
): Promise<RotatedSecret & { clientId: string }> {
  return ctx.db.write(async (trx) => {
    const app = await holdManaged(trx, developer, appId)
    requireScopes(developer, app)
    const { clientId } = app[environment]
    await record(ctx, trx, {
      action: 'client-secret.rotated',
      who: developer.actor,
      whom: { kind: 'app', id: app.id },
      accountId: developer.accountId,
      note: environment,
    })
    return { clientId, ...(await rotateClientSecret(ctx, trx, clientId)) }
  })
}

/** Gives an app's webhooks a new secret token. Throws app_not_found, insufficient_scope. */
export async function rotateManagedSecretToken(
  ctx: Rotating,
  developer: Developer,
  appId: string,
): Promise<RotatedSecret> {
  return ctx.db.write(async (trx) => {
    const { id } = await holdManaged(trx, developer, appId)
    await record(ctx, trx, {
      action: 'webhook-secret.rotated',
      who: developer.actor,
      whom: { kind: 'app', id },
      accountId: developer.accountId,
    })
    return rotateWebhookSecret(ctx, trx, id)
  })
}

/** An app that the developer may change, held in a transaction that goes on to do so. */
export async function holdManaged(
  trx: Db,
  developer: Developer,
  appId: string,
): Promise<ManagedApp> {
  const found = isStorable(appId) ? await holdApp(trx, appId) : undefined
  const app = isOwn(developer, found) ?? fail('app_not_found')
  const whole = managed(app, await findClients(trx, app.id))
  requireReach(developer, whole)
  return whole
}

/** The same app once more, as it has been changed. */
export async function readManaged(trx: Db, appId: string): Promise<ManagedApp> {
  const app = (await findApp(trx, appId)) ?? fail('app_not_found')
  return managed(app, await findClients(trx, appId))
}

/** What an app is let do by itself. */
type ScopedApp = Pick<AppSettings, 'type'> & Record<AppEnvironment, Pick<ClientRecord, 'scopes'>>

/**
 * A server-to-server app acts for the account without anybody's consent, so it is for those to make
 * and to change who manage all of the account; the owner alone, where it reaches the sub-accounts.
 */
function requireReach(developer: Developer, app: ScopedApp): void {
  if (app.type !== 'server-to-server') return
  if (!developer.seesAll) {
    fail('insufficient_scope', 'Server-to-server apps take an admin of the account.')
  }
  const scopes = environments.flatMap((environment) => app[environment].scopes)
  if (developer.reachesSubAccounts || !scopes.some((scope) => scopeLevel(scope) === 'master'))
    return
  fail('insufficient_scope', 'Apps that act for sub-accounts take the owner of the account.')
}

/**
 * By a token, who holds the secret of an app that acts by itself gets no scope that the token lacks.
 * No token has the scope of chatbots, so their secrets take an admin's.
 */
function requireScopes(developer: Developer, app: ScopedApp): void {
  const { scopes } = developer
  if (scopes === undefined) return
  if (app.type === 'chatbot' && !developer.seesAll) {
    fail(
      'insufficient_scope',
      'A chatbot acts by itself: use an admin scope, or the developer console.',
    )
  }
  if (app.type !== 'server-to-server') return
  const wanted = new Set(environments.flatMap((environment) => app[environment].scopes))
  const missing = [...wanted].filter((scope) => !scopes.includes(scope))
  if (missing.length > 0) fail('insufficient_scope', missingScopesMessage(missing, scopes))
}

const managed = (app: AppRecord, clients: Clients | undefined): ManagedApp => {
  if (!clients) throw new Error(`The app ${app.id} lacks a set of credentials.`)
  const endpointIsValid =
    app.deauthorizationUrl !== null && app.deauthorizationUrl === app.validatedUrl
  return { ...app, ...clients, endpointIsValid }
}

/** Which apps the developer manages; nothing where there is nobody to have made one. */
function selectionOf({ accountId, userId, seesAll }: Developer): AppSelection | undefined {
  if (seesAll) return { accountId }
  return userId === null ? undefined : { accountId, createdBy: userId }
}

function isOwn(developer: Developer, app: AppRecord | undefined): AppRecord | undefined {
  if (!app || app.accountId !== developer.accountId) return undefined
  const isMade = app.createdBy !== null && app.createdBy === developer.userId
  return developer.seesAll || isMade ? app : undefined
}
