import { approveByOperator } from '../../apps/approvals.ts'
import { type AddressRules, checkApp } from '../../apps/rules.ts'
import { createApp, saveApp } from '../../apps/save.ts'
import {
  type AppSettings,
  changeSettings,
  environments,
  newSettings,
  type SettingChanges,
  settingsOf,
} from '../../apps/settings.ts'
import { type AppRecord, holdApp, listAppsByName } from '../../apps/store/apps.ts'
import { type AppEnvironment, findClients } from '../../apps/store/clients.ts'
import type { AppContext } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { findAccountByName } from '../../platform/store/accounts.ts'
import type { Declaration, DeclaredApp, Refuse } from './declaration.ts'
import type { AppliedAccount, PlannedAccount } from './people.ts'

/** An app of the file beside the one of the database. */
export interface PlannedApp {
  readonly declared: DeclaredApp
  readonly settings: AppSettings
  /** The account, where it exists already. */
  readonly accountId: string | undefined
  readonly known: AppRecord | undefined
}

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

/** Compares the apps of a file with those there are, and holds them against the rules for apps. */
export async function planApps(
  db: Db,
  { apps }: Declaration,
  accounts: readonly PlannedAccount[],
  rules: AddressRules,
  refuse: Refuse,
): Promise<PlannedApp[]> {
  const planned: PlannedApp[] = []
  for (const [index, declared] of apps.entries()) {
    const path = ['apps', index]
    const { name, account } = declared
    const inFile = accounts.find((other) => other.declared.name === account)
    const accountId = inFile ? inFile.known?.id : (await findAccountByName(db, account))?.id
    if (!inFile && accountId === undefined) {
      refuse([...path, 'account'], `there is no account "${account}", here or in the database`)
    }
    if (
      planned.some((other) => other.declared.name === name && other.declared.account === account)
    ) {
      refuse([...path, 'name'], `"${name}" of "${account}" is declared twice`)
    }
    const [known] = accountId === undefined ? [] : await listAppsByName(db, name, accountId)
    const type = declared.type ?? known?.type
    if (type === undefined) {
      refuse([...path, 'type'], 'a new app needs a type')
      continue
    }
    if (known && type !== known.type) {
      refuse([...path, 'type'], `"${name}" is ${known.type}; the type of an app cannot change`)
    }
    const clients = known && (await findClients(db, known.id))
    const present =
      known && clients ? settingsOf({ ...known, ...clients }) : newSettings(name, type)
    const settings = changeSettings(present, changesOf(declared))
    for (const issue of checkApp(settings, rules)) {
      refuse([...path, ...declaredAt(declared, issue.path)], issue.message)
    }
    planned.push({ declared, settings, accountId, known })
  }
  return planned
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

/** Makes and changes apps as planned, in the caller's transaction. */
export async function writeApps(
  ctx: Pick<AppContext, 'clock' | 'config' | 'encryption' | 'random'>,
  trx: Db,
  apps: readonly PlannedApp[],
  accounts: readonly AppliedAccount[],
): Promise<AppliedApp[]> {
  const applied: AppliedApp[] = []
  for (const { declared, settings, known, accountId } of apps) {
    const { name, account } = declared
    // Its developer may have changed the app since the plan was made.
    const present = known && (await holdApp(trx, known.id))
    const clients = present && (await findClients(trx, present.id))
    if (present && clients) {
      const changed = changeSettings(settingsOf({ ...present, ...clients }), changesOf(declared))
      // The operator decides where the file says so; else whoever disabled the app still does.
      const by = declared.disabled === undefined ? present.disabledBy : null
      await saveApp(ctx, trx, present, changed, by)
      const { development, production } = clients
      applied.push({
        name,
        id: present.id,
        development: { clientId: development.clientId },
        production: { clientId: production.clientId },
      })
      continue
    }
    const owner = accountId ?? accounts.find((other) => other.name === account)?.id
    if (owner === undefined) throw new Error(`The account "${account}" was not made.`)
    applied.push({ name, ...(await createApp(ctx, trx, { accountId: owner, settings })) })
  }
  return applied
}

/** Refuses names of apps to approve that are none or several apps. */
export async function checkApprovedApps(
  db: Db,
  accounts: readonly PlannedAccount[],
  apps: readonly PlannedApp[],
  refuse: Refuse,
): Promise<void> {
  for (const { path, declared } of accounts) {
    for (const [index, name] of declared.approvedApps.entries()) {
      const isNew = apps.filter((app) => app.declared.name === name && !app.known).length
      const count = isNew + (await listAppsByName(db, name)).length
      const place = [...path, 'approvedApps', index]
      if (count === 0) refuse(place, `there is no app "${name}", here or in the database`)
      if (count > 1) refuse(place, `there are ${count} apps "${name}"`)
    }
  }
}

/**
 * Approves the apps that an account allows, in the caller's transaction. An app that an admin has declined
 * or withdrawn stays so, and an approval does not grow with an app that the file does not declare. Returns a
 * warning for each.
 */
export async function writeApprovals(
  ctx: Pick<AppContext, 'clock' | 'random'>,
  trx: Db,
  planned: readonly PlannedAccount[],
  apps: readonly PlannedApp[],
  accounts: readonly AppliedAccount[],
): Promise<string[]> {
  const warnings: string[] = []
  const operating = { ...ctx, network: null, steadyNow: ctx.clock.now }
  for (const { declared } of planned) {
    const account = accounts.find(({ name }) => name === declared.name)
    for (const name of declared.approvedApps) {
      const [app] = await listAppsByName(trx, name)
      if (!account || !app) continue
      const isDeclared = apps.some(({ declared }) => declared.name === name)
      const asked = { accountId: account.id, appId: app.id, isDeclared }
      const refusal = await approveByOperator(operating, trx, asked)
      if (!refusal) continue
      const stays =
        refusal === 'changed'
          ? `"${name}" has changed since it was approved for "${account.name}"`
          : `"${name}" stays ${refusal} for "${account.name}"`
      warnings.push(`${stays}: an admin of the account can approve it at /my/approvals`)
    }
  }
  return warnings
}
