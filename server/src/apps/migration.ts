import { granularEquivalents, isClassicScope } from '@skillpass/contract'
import { fail } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { registeredScopes } from '../oauth/scopes.ts'
import { countGrantsByScopes } from '../oauth/store/grants.ts'
import { recordChanges } from './apps.ts'
import type { Developer } from './developer.ts'
import { getManagedApp, holdManaged, type ManagedApp, readManaged } from './managed-apps.ts'
import { saveApp } from './save.ts'
import { type ClientSettings, changeSettings, settingsOf } from './settings.ts'
import type { AppEnvironment } from './store/clients.ts'

/** Shows what a migration would do, and what keeps it from being done. Throws app_not_found. */
export async function previewMigration(
  ctx: OAuthContext,
  developer: Developer,
  appId: string,
  environment: AppEnvironment,
) {
  const app = await getManagedApp(ctx, developer, appId)
  const { clientId } = app[environment]
  const grants = await countGrantsByScopes(ctx.db.read, { clientId, appId: app.id })
  const classic = grants.filter(({ scopes }) => scopes.some(isClassicScope))
  const refusal = migrationRefusal(app, environment)
  return {
    ...migrationOf(app[environment]),
    /** Living grants that keep their classic scopes until their users authorize again. */
    grantsKeepingClassic: classic.reduce((sum, { count }) => sum + count, 0),
    refusal,
  }
}

/**
 * Puts granular scopes in the place of a tab's classic ones; grants of before keep theirs until their
 * users authorize again. Throws app_not_found, insufficient_scope, and not_allowed_now.
 */
export async function migrateScopes(
  ctx: OAuthContext,
  developer: Developer,
  appId: string,
  environment: AppEnvironment,
): Promise<ManagedApp> {
  return ctx.db.write(async (trx) => {
    const app = await holdManaged(trx, developer, appId)
    const refusal = migrationRefusal(app, environment)
    if (refusal) fail('not_allowed_now', sentences[refusal])
    const { scopes, optionalScopes } = migrationOf(app[environment])
    const changes = { [environment]: { scopes, optionalScopes } }
    await saveApp(ctx, trx, app, changeSettings(settingsOf(app), changes), app.disabledBy)
    const changed = await readManaged(trx, app.id)
    await recordChanges(ctx, trx, developer, app, changed)
    return changed
  })
}

/** What keeps a set of credentials from being migrated now: development goes first (OAuth spec §9). */
const sentences = {
  'nothing-to-migrate': 'These credentials have no classic scope to migrate.',
  'development-first':
    'Development goes first: its credentials need granular scopes, and no classic one any more.',
} as const

/** What a set of credentials is registered for, of scopes. */
type RegisteredScopes = Pick<ClientSettings, 'scopes' | 'optionalScopes'>

/**
 * Puts granular scopes of the same level in the place of classic ones. What is optional stays so:
 * a granular scope that the user may leave out already is not made a needed one.
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
): keyof typeof sentences | undefined {
  if (!registeredScopes(app[environment]).some(isClassicScope)) return 'nothing-to-migrate'
  if (environment === 'development') return undefined
  const first = registeredScopes(app.development)
  return first.length > 0 && !first.some(isClassicScope) ? undefined : 'development-first'
}
