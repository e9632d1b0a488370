import { currentOperator, recordOnApp } from '../../audit/record.ts'
import { approveByOperator } from '../../oauth/apps/approvals.ts'
import { readManagedApp, recordChanges } from '../../oauth/apps/apps.ts'
import { createOAuthApp, saveApp } from '../../oauth/apps/save.ts'
import {
  changeSettings,
  checkApp,
  environments,
  newSettings,
  type SettingChanges,
  settingsOf,
} from '../../oauth/apps/settings.ts'
import { hashSecret } from '../../secrets/secrets.ts'
import { listAppsByName, lockApp, updateWebhookSecret } from '../../store/oauth/apps.ts'
import { type AppEnvironment, findClients, updateClientSecret } from '../../store/oauth/clients.ts'
import { findAccountByName } from '../../store/platform/accounts.ts'
import {
  type ApplyContext,
  accountsOf,
  type Declaration,
  type DeclaredApp,
  type Path,
} from './declaration.ts'
import { withFixedIds } from './fixed.ts'

interface AppliedClient {
  clientId: string
  clientSecret?: string
}

/** An app with the secrets that this run created. */
export interface AppliedApp {
  name: string
  id: string
  secretToken?: string
  development: AppliedClient
  production: AppliedClient
}

export async function applyApps(ctx: ApplyContext, { apps }: Declaration): Promise<AppliedApp[]> {
  const applied: AppliedApp[] = []
  for (const [index, declared] of apps.entries()) {
    const app = await applyApp(ctx, ['apps', index], declared)
    if (app) applied.push({ name: declared.name, ...app })
  }
  return applied
}

async function applyApp(ctx: ApplyContext, path: Path, declared: DeclaredApp) {
  const { trx, addProblem } = ctx
  const { name } = declared
  const account = await findAccountByName(trx, declared.account)
  if (!account) {
    const message = `the account "${declared.account}" does not exist in the file or the database`
    addProblem([...path, 'account'], message)
  }
  const [found] = account ? await listAppsByName(trx, name, account.id) : []
  const known = found && (await lockApp(trx, found.id))
  const type = declared.type ?? known?.type
  if (type === undefined) return addProblem([...path, 'type'], 'a new app needs a type')
  if (known && type !== known.type) {
    const message = `the type of "${name}" is ${known.type} and cannot change`
    return addProblem([...path, 'type'], message)
  }
  const clients = known && (await findClients(trx, known.id))
  const present = known && clients ? settingsOf({ ...known, ...clients }) : newSettings(name, type)
  const settings = changeSettings(present, changesOf(declared))
  const issues = checkApp(settings, ctx.config)
  for (const issue of issues) {
    addProblem([...path, ...declaredPath(declared, issue.path)], issue.message)
  }
  if (!account || issues.length > 0) return undefined
  const by = { who: currentOperator(), accountId: account.id }
  ctx.checkId([...path, 'id'], declared.id, known?.id)
  for (const environment of environments) {
    const { clientId } = declared[environment] ?? {}
    ctx.checkId([...path, environment, 'clientId'], clientId, clients?.[environment].clientId)
  }
  if (!known || !clients) {
    const { development, production } = declared
    const clientIds = { development: development?.clientId, production: production?.clientId }
    const app = await createOAuthApp(withFixedIds(ctx, declared.id), trx, {
      accountId: account.id,
      settings,
      clientIds,
    })
    await recordOnApp(ctx, trx, by, 'app.registered', app.id)
    return replaceSecrets(ctx, app, declared)
  }
  // Without `disabled` in the file, the app stays disabled by the same user.
  const disabledBy = declared.disabled === undefined ? known.disabledBy : null
  const before = await readManagedApp(trx, known.id)
  await saveApp(ctx, trx, known, settings, disabledBy)
  await recordChanges(ctx, trx, by, before, await readManagedApp(trx, known.id))
  const { development, production } = clients
  const app = {
    id: known.id,
    development: { clientId: development.clientId },
    production: { clientId: production.clientId },
  }
  return replaceSecrets(ctx, app, declared)
}

/** Replaces the secrets of an app by the declared ones. Returns the app with those. */
async function replaceSecrets(
  { trx, encryption }: ApplyContext,
  { ...app }: Omit<AppliedApp, 'name'>,
  declared: DeclaredApp,
) {
  for (const environment of environments) {
    const { clientId } = app[environment]
    const clientSecret = declared[environment]?.clientSecret
    if (clientSecret === undefined) continue
    await updateClientSecret(trx, clientId, hashSecret(clientSecret), null)
    app[environment] = { clientId, clientSecret }
  }
  if (declared.secretToken !== undefined) {
    app.secretToken = declared.secretToken
    const sealed = encryption.seal('webhook-secret', app.id, declared.secretToken)
    await updateWebhookSecret(trx, app.id, sealed, null)
  }
  return app
}

/**
 * Returns the declared changes. A setting outside `development` and `production` applies to both.
 */
function changesOf(declared: DeclaredApp): SettingChanges {
  const { scopes, optionalScopes, redirectUris } = declared
  const clientChanges = (environment: AppEnvironment) => ({
    scopes: declared[environment]?.scopes ?? scopes,
    optionalScopes: declared[environment]?.optionalScopes ?? optionalScopes,
    redirectUris: declared[environment]?.redirectUris ?? redirectUris,
  })
  return {
    ...declared,
    development: clientChanges('development'),
    production: clientChanges('production'),
  }
}

/** Returns the place in the file that sets a value, which may apply to both environments. */
function declaredPath(declared: DeclaredApp, path: readonly (string | number)[]) {
  const environment = environments.find((name) => name === path[0])
  const key = (['scopes', 'optionalScopes', 'redirectUris'] as const).find((k) => k === path[1])
  const isOwn = environment && key && declared[environment]?.[key] !== undefined
  return environment && key && !isOwn && declared[key] !== undefined ? path.slice(1) : path
}

/**
 * Approves the apps that accounts declare as approved. Does not overrule an admin who declined an
 * app or withdrew its approval. Extends an approval to changes of an app only if the file declares
 * the app. Returns a warning for each approval that was not made.
 */
export async function applyApprovals(ctx: ApplyContext, declaration: Declaration) {
  const { trx, addProblem } = ctx
  const warnings: string[] = []
  for (const { path, declared } of accountsOf(declaration)) {
    const account = await findAccountByName(trx, declared.name)
    for (const [index, name] of declared.approvedApps.entries()) {
      const place = [...path, 'approvedApps', index]
      const isDeclared = declaration.apps.some((app) => app.name === name)
      const [app, ...others] = await listAppsByName(trx, name)
      if (others.length > 0) addProblem(place, `there are ${others.length + 1} apps "${name}"`)
      else if (account && app) {
        const approval = { accountId: account.id, appId: app.id, isDeclared }
        const refusal = await approveByOperator(ctx, trx, approval)
        if (refusal) warnings.push(warningOf(refusal, name, account.name))
      } else if (!isDeclared) {
        addProblem(place, `there is no app "${name}" in the file or the database`)
      }
    }
  }
  return warnings
}

function warningOf(refusal: string, app: string, account: string): string {
  const problem =
    refusal === 'changed'
      ? `"${app}" has changed since it was approved for "${account}"`
      : `the approval of "${app}" for "${account}" is ${refusal}`
  return `${problem}. An admin of the account can approve it at /my/approvals.`
}
