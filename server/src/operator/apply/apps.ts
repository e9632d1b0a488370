import { approveByOperator } from '../../apps/approvals.ts'
import { checkApp } from '../../apps/rules.ts'
import { createApp, saveApp } from '../../apps/save.ts'
import {
  changeSettings,
  environments,
  newSettings,
  type SettingChanges,
  settingsOf,
} from '../../apps/settings.ts'
import { listAppsByName, lockApp } from '../../apps/store/apps.ts'
import { type AppEnvironment, findClients } from '../../apps/store/clients.ts'
import { findAccountByName } from '../../platform/store/accounts.ts'
import {
  type Applying,
  accountsOf,
  type Declaration,
  type DeclaredApp,
  type Path,
} from './declaration.ts'

interface AppliedClient {
  clientId: string
  clientSecret?: string
}

/** An app as it is printed; with secrets when they were made. */
export interface AppliedApp {
  name: string
  id: string
  secretToken?: string
  development: AppliedClient
  production: AppliedClient
}

/** Makes and changes the apps of a declaration, in the caller's transaction. */
export async function applyApps(ctx: Applying, { apps }: Declaration): Promise<AppliedApp[]> {
  const applied: AppliedApp[] = []
  for (const [index, declared] of apps.entries()) {
    const app = await applyApp(ctx, ['apps', index], declared)
    if (app) applied.push({ name: declared.name, ...app })
  }
  return applied
}

async function applyApp(
  ctx: Applying,
  path: Path,
  declared: DeclaredApp,
): Promise<Omit<AppliedApp, 'name'> | undefined> {
  const { trx, refuse } = ctx
  const { name } = declared
  const account = await findAccountByName(trx, declared.account)
  if (!account) {
    const message = `there is no account "${declared.account}", here or in the database`
    refuse([...path, 'account'], message)
  }
  const [found] = account ? await listAppsByName(trx, name, account.id) : []
  const known = found && (await lockApp(trx, found.id))
  const type = declared.type ?? known?.type
  if (type === undefined) return refuse([...path, 'type'], 'a new app needs a type')
  if (known && type !== known.type) {
    const message = `"${name}" is ${known.type}; the type of an app cannot change`
    return refuse([...path, 'type'], message)
  }
  const clients = known && (await findClients(trx, known.id))
  const present = known && clients ? settingsOf({ ...known, ...clients }) : newSettings(name, type)
  const settings = changeSettings(present, changesOf(declared))
  const issues = checkApp(settings, ctx.config)
  for (const issue of issues) {
    refuse([...path, ...declaredAt(declared, issue.path)], issue.message)
  }
  if (!account || issues.length > 0) return undefined
  if (!known || !clients) return createApp(ctx, trx, { accountId: account.id, settings })
  // The operator decides where the file says so; else whoever disabled the app still does.
  const by = declared.disabled === undefined ? known.disabledBy : null
  await saveApp(ctx, trx, known, settings, by)
  const { development, production } = clients
  return {
    id: known.id,
    development: { clientId: development.clientId },
    production: { clientId: production.clientId },
  }
}

/** What the file changes; a setting that stands there for both sets of credentials, in each. */
function changesOf(declared: DeclaredApp): SettingChanges {
  const { scopes, optionalScopes, redirectUris } = declared
  const of = (environment: AppEnvironment) => ({
    scopes: declared[environment]?.scopes ?? scopes,
    optionalScopes: declared[environment]?.optionalScopes ?? optionalScopes,
    redirectUris: declared[environment]?.redirectUris ?? redirectUris,
  })
  return { ...declared, development: of('development'), production: of('production') }
}

/** A setting of one set of credentials stands in the file for both, unless that set has its own. */
function declaredAt(declared: DeclaredApp, path: readonly (string | number)[]) {
  const environment = environments.find((name) => name === path[0])
  const key = (['scopes', 'optionalScopes', 'redirectUris'] as const).find((k) => k === path[1])
  const own = environment && key && declared[environment]?.[key] !== undefined
  return environment && key && !own && declared[key] !== undefined ? path.slice(1) : path
}

/**
 * Approves the apps that accounts allow, in the caller's transaction. An app that an admin has declined
 * or withdrawn stays so, and an approval does not grow with an app that the file does not declare. Returns a
 * warning for each.
 */
export async function applyApprovals(ctx: Applying, declaration: Declaration): Promise<string[]> {
  const { trx, refuse } = ctx
  const warnings: string[] = []
  const operating = { ...ctx, network: null, steadyNow: ctx.clock.now }
  for (const { path, declared } of accountsOf(declaration)) {
    const account = await findAccountByName(trx, declared.name)
    for (const [index, name] of declared.approvedApps.entries()) {
      const place = [...path, 'approvedApps', index]
      const isDeclared = declaration.apps.some((app) => app.name === name)
      const [app, ...others] = await listAppsByName(trx, name)
      if (others.length > 0) refuse(place, `there are ${others.length + 1} apps "${name}"`)
      else if (account && app) {
        const asked = { accountId: account.id, appId: app.id, isDeclared }
        const refusal = await approveByOperator(operating, trx, asked)
        if (refusal) warnings.push(warningOf(refusal, name, account.name))
      } else if (!isDeclared) {
        refuse(place, `there is no app "${name}", here or in the database`)
      }
    }
  }
  return warnings
}

function warningOf(refusal: string, app: string, account: string): string {
  const stays =
    refusal === 'changed'
      ? `"${app}" has changed since it was approved for "${account}"`
      : `"${app}" stays ${refusal} for "${account}"`
  return `${stays}: an admin of the account can approve it at /my/approvals`
}
