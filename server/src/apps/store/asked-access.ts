import { parseScopes } from '@skillpass/contract'
import type { Db } from '../../db/open.ts'

/** What an app asks the users of an account for. */
export interface AskedAccess {
  appName: string
  /** Scopes that they must allow, and those they may leave out. */
  scopes: string[]
  optionalScopes: string[]
}

/** Apps with the scopes that they may ask users of an account for: in their own, with both credentials. */
export const askingApps = (db: Db, accountId: string) =>
  db
    .selectFrom('apps')
    .innerJoin('clients as production', (join) =>
      join
        .onRef('production.app_id', '=', 'apps.id')
        .on('production.environment', '=', 'production'),
    )
    .leftJoin('clients as development', (join) =>
      join
        .onRef('development.app_id', '=', 'apps.id')
        .on('development.environment', '=', 'development')
        .on('apps.account_id', '=', accountId),
    )
    .select([
      'apps.name as appName',
      'production.scopes as scopes',
      'production.optional_scopes as optionalScopes',
      'development.scopes as developmentScopes',
      'development.optional_scopes as developmentOptionalScopes',
    ])

/** A row of `askingApps`. */
export interface AskingRow extends Record<'appName' | 'scopes' | 'optionalScopes', string> {
  developmentScopes: string | null
  developmentOptionalScopes: string | null
}

/** Merges what both sets of credentials ask for. */
export function askedOf(row: AskingRow): AskedAccess {
  const { appName, developmentScopes, developmentOptionalScopes } = row
  const scopes = parseScopes(`${row.scopes} ${developmentScopes ?? ''}`)
  const optional = parseScopes(`${row.optionalScopes} ${developmentOptionalScopes ?? ''}`)
  return { appName, scopes, optionalScopes: optional.filter((one) => !scopes.includes(one)) }
}

/** What an app asks the users of an account for. */
export async function findAskedAccess(
  db: Db,
  accountId: string,
  appId: string,
): Promise<AskedAccess | undefined> {
  const row = await askingApps(db, accountId).where('apps.id', '=', appId).executeTakeFirst()
  return row && askedOf(row)
}
