import { granularEquivalents, isClassicScope } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'
import type { Context } from '../../runtime/context.ts'
import type { AppEnvironment } from '../../store/oauth/clients.ts'
import { countGrantsByScopes } from '../../store/oauth/grants.ts'
import { registeredScopes } from '../scopes.ts'
import type { AppManager } from './app-manager.ts'
import {
  getManagedApp,
  lockManagedApp,
  type ManagedApp,
  readManagedApp,
  recordChanges,
} from './apps.ts'
import { saveApp } from './save.ts'
import { type ClientSettings, changeSettings, settingsOf } from './settings.ts'

/** Previews a migration and what prevents it. Throws app_not_found. */
export async function previewMigration(
  ctx: Context,
  manager: AppManager,
  appId: string,
  environment: AppEnvironment,
) {
  const app = await getManagedApp(ctx, manager, appId)
  const { clientId } = app[environment]
  const grants = await countGrantsByScopes(ctx.db.read, { clientId, appId: app.id })
  const classic = grants.filter(({ scopes }) => scopes.some(isClassicScope))
  const refusal = migrationRefusal(app, environment)
  return {
    ...migrationOf(app[environment]),
    grantsKeepingClassic: classic.reduce((sum, { count }) => sum + count, 0),
    refusal,
  }
}

/**
 * Replaces the classic scopes of one set of credentials with granular ones. Existing grants keep
 * their scopes until their users authorize again. Throws app_not_found, insufficient_scope, and
 * not_allowed_now.
 */
export const migrateScopes = async (
  ctx: Context,
  manager: AppManager,
  appId: string,
  environment: AppEnvironment,
): Promise<ManagedApp> =>
  ctx.db.write(async (trx) => {
    const app = await lockManagedApp(trx, manager, appId)
    const refusal = migrationRefusal(app, environment)
    if (refusal) fail('not_allowed_now', refusalMessages[refusal])
    const { scopes, optionalScopes } = migrationOf(app[environment])
    const changes = { [environment]: { scopes, optionalScopes } }
    await saveApp(ctx, trx, app, changeSettings(settingsOf(app), changes), app.disabledBy)
    const changed = await readManagedApp(trx, app.id)
    await recordChanges(ctx, trx, manager, app, changed)
    return changed
  })

const refusalMessages = {
  'nothing-to-migrate': 'These credentials have no classic scope to migrate.',
  'development-first':
    'Migrate the development credentials first: they must have only granular scopes.',
} as const

type RegisteredScopes = Pick<ClientSettings, 'scopes' | 'optionalScopes'>

/**
 * Replaces classic scopes with granular ones of the same level. Optional scopes stay optional, even
 * if a required classic scope also maps to them.
 */
function migrationOf({ scopes, optionalScopes }: RegisteredScopes) {
  const optional = new Set(optionalScopes.flatMap(replacementOf))
  const needed = new Set(scopes.flatMap(replacementOf).filter((scope) => !optional.has(scope)))
  const classic = registeredScopes({ scopes, optionalScopes }).filter(isClassicScope)
  return {
    changes: classic.map((from) => ({ from, to: granularEquivalents(from) })),
    scopes: [...needed],
    optionalScopes: [...optional],
  }
}

const replacementOf = (scope: string): string[] =>
  isClassicScope(scope) ? granularEquivalents(scope) : [scope]

function migrationRefusal(
  app: Record<AppEnvironment, RegisteredScopes>,
  environment: AppEnvironment,
): keyof typeof refusalMessages | undefined {
  if (!registeredScopes(app[environment]).some(isClassicScope)) return 'nothing-to-migrate'
  if (environment === 'development') return undefined
  const first = registeredScopes(app.development)
  return first.length > 0 && !first.some(isClassicScope) ? undefined : 'development-first'
}
