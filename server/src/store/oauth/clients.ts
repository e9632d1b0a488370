import { parseScopes } from '@skillpass/contract'
import {
  columnsOf,
  type Db,
  type Fields,
  hasRow,
  preparedFirst,
  toRow,
  valuesOf,
} from '../../db/query.ts'
import type { SecretHash } from '../../secrets/secrets.ts'
import { withoutUndefined } from '../../text/case.ts'
import { type AppRecord, appColumns, appOf, existingApps } from './apps.ts'

/** An app's two sets of credentials (spec/decisions.md#development-and-production). */
export type AppEnvironment = 'development' | 'production'

const secretFields = ['secretHash', 'previousSecretHash', 'previousSecretExpiresAt'] as const

export type OAuthClient = Pick<Fields<'clients'>, 'clientId' | (typeof secretFields)[number]> & {
  environment: AppEnvironment
  /** Required scopes, and scopes that the user can decline. */
  scopes: string[]
  optionalScopes: string[]
  app: AppRecord
  /** What the client says about itself, if its id is the address of a document. */
  document?: ClientDocument
}

/** Claims of a client id metadata document (draft-ietf-oauth-client-id-metadata-document §4). */
export interface ClientDocument {
  /** Undefined if the client may not bear the name. */
  readonly name: string | undefined
  readonly redirectUris: string[]
  readonly authMethod: 'none' | 'private_key_jwt'
  readonly jwks: Readonly<Record<string, unknown>> | undefined
  readonly jwksUri: string | undefined
}

export async function findClient(db: Db, clientId: string): Promise<OAuthClient | undefined> {
  const row = await byId(db, { clientId })
  if (!row) return undefined
  const { environment, scopes, optionalScopes, ...rest } = row
  const { secretHash, previousSecretHash, previousSecretExpiresAt, ...app } = rest
  const secrets = { secretHash, previousSecretHash, previousSecretExpiresAt }
  return {
    ...secrets,
    clientId,
    environment,
    scopes: parseScopes(scopes),
    optionalScopes: parseScopes(optionalScopes),
    app: appOf(app),
  }
}

const byId = preparedFirst((db, { clientId }: { clientId: string }) =>
  existingApps(db)
    .innerJoin('clients', 'clients.app_id', 'apps.id')
    .select(columnsOf('clients', ['environment', 'scopes', 'optionalScopes', ...secretFields]))
    .select(appColumns)
    .where('clients.client_id', '=', clientId),
)

export function listRedirectUris(db: Db, clientId: string): Promise<string[]> {
  const uris = db.selectFrom('redirect_uris').select('uri').where('client_id', '=', clientId)
  return valuesOf(uris.orderBy('uri'), 'uri')
}

export function hasOrigin(db: Db, origin: string, clientId?: string): Promise<boolean> {
  const uris = db.selectFrom('redirect_uris').select('uri').limit(1)
  return hasRow(uris.where((eb) => eb.and(withoutUndefined({ origin, client_id: clientId }))))
}

export interface ClientRecord {
  clientId: string
  environment: AppEnvironment
  scopes: string[]
  optionalScopes: string[]
  redirectUris: string[]
}

/** Stores a new set of credentials, without redirect URIs. */
export const insertClient = (
  trx: Db,
  appId: string,
  client: Omit<ClientRecord, 'redirectUris'> & { secretHash: SecretHash },
) =>
  trx
    .insertInto('clients')
    .values({
      ...toRow(client, ['clientId', 'environment', 'secretHash']),
      app_id: appId,
      previous_secret_hash: null,
      previous_secret_expires_at: null,
      scopes: client.scopes.join(' '),
      optional_scopes: client.optionalScopes.join(' '),
    })
    .execute()

export const updateClientScopes = (
  trx: Db,
  clientId: string,
  scopes: readonly string[],
  optionalScopes: readonly string[],
) =>
  trx
    .updateTable('clients')
    .set({ scopes: scopes.join(' '), optional_scopes: optionalScopes.join(' ') })
    .where('client_id', '=', clientId)
    .execute()

/** Replaces a client secret. The previous one is valid until `previousEnd` (ms) if not null. */
export const updateClientSecret = (
  trx: Db,
  clientId: string,
  secret: SecretHash,
  previousEnd: number | null,
) =>
  trx
    .updateTable('clients')
    .set((eb) => ({
      secret_hash: secret,
      previous_secret_hash: previousEnd === null ? null : eb.ref('secret_hash'),
      previous_secret_expires_at: previousEnd,
    }))
    .where('client_id', '=', clientId)
    .execute()

export async function replaceRedirectUris(trx: Db, clientId: string, uris: readonly string[]) {
  await trx.deleteFrom('redirect_uris').where('client_id', '=', clientId).execute()
  const rows = uris.map((uri) => ({ client_id: clientId, uri, origin: originOf(uri) }))
  if (rows.length > 0) await trx.insertInto('redirect_uris').values(rows).execute()
}

/** The origin of an address (scheme, host and port), or its scheme if it has no origin. */
function originOf(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}

export type Clients = Record<AppEnvironment, ClientRecord>

export const findClients = async (db: Db, appId: string): Promise<Clients> =>
  (await findClientsOf(db, [appId]))(appId)

/** Finds the credentials of several apps. Returns a function from app id to credentials. */
export async function findClientsOf(db: Db, appIds: readonly string[]) {
  const query = db
    .selectFrom('clients')
    .leftJoin('redirect_uris', 'redirect_uris.client_id', 'clients.client_id')
    .select([
      ...columnsOf('clients', ['appId', 'clientId', 'environment', 'scopes', 'optionalScopes']),
      'redirect_uris.uri as uri',
    ])
    .where('clients.app_id', 'in', appIds)
    .orderBy('redirect_uris.uri')
  const rows = appIds.length === 0 ? [] : await query.execute()
  const byApp = new Map<string, Partial<Clients>>()
  for (const { appId, uri, scopes, optionalScopes, ...row } of rows) {
    const clients = byApp.get(appId) ?? {}
    byApp.set(appId, clients)
    clients[row.environment] ??= {
      ...row,
      scopes: parseScopes(scopes),
      optionalScopes: parseScopes(optionalScopes),
      redirectUris: [],
    }
    if (uri !== null) clients[row.environment]?.redirectUris.push(uri)
  }
  return (appId: string): Clients => {
    const { development, production } = byApp.get(appId) ?? {}
    if (!development || !production)
      throw new Error(`The app ${appId} has no complete credentials.`)
    return { development, production }
  }
}
