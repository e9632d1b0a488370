import { parseScopes } from '@skillpass/contract'
import { columnsOf, type Fields, fieldsOf, toRow } from '../../db/fields.ts'
import type { Db } from '../../db/open.ts'
import { preparedFirst } from '../../db/prepared.ts'
import type { SecretHash } from '../../secrets/secrets.ts'

/** The set of credentials of an app that is meant (OAuth spec §9: tabs). */
export type AppEnvironment = 'development' | 'production'

const appFields = ['name', 'type', 'level', 'visibility', 'accountId'] as const
const appFlags = ['deviceFlow', 'publicClient', 'requireS256'] as const
const secretFields = ['secretHash', 'previousSecretHash', 'previousSecretExpiresAt'] as const

/** An app as its clients and its users see it. */
export type ClientApp = Pick<Fields<'apps'>, 'id' | (typeof appFields)[number]> &
  Record<(typeof appFlags)[number] | 'disabled', boolean> & {
    accountName: string
    /** Whether that is the platform's word, not the developer's own switch. */
    disabledByPlatform: boolean
  }

/** A set of credentials of an app (OAuth spec §9: tabs). */
export type OAuthClient = Pick<Fields<'clients'>, 'clientId' | (typeof secretFields)[number]> & {
  environment: AppEnvironment
  /** Registered scopes that a user must allow, and those the user may leave out. */
  scopes: string[]
  optionalScopes: string[]
  app: ClientApp
}

/** The client of an id, with its app. */
export async function findClient(db: Db, clientId: string): Promise<OAuthClient | undefined> {
  const row = await byId(db, { clientId })
  if (!row) return undefined
  return {
    clientId,
    environment: row.environment,
    ...fieldsOf(row, secretFields, ''),
    scopes: parseScopes(row.scopes),
    optionalScopes: parseScopes(row.optionalScopes),
    app: {
      id: row.appId,
      ...fieldsOf(row, appFields, ''),
      accountName: row.accountName,
      deviceFlow: row.deviceFlow === 1,
      publicClient: row.publicClient === 1,
      requireS256: row.requireS256 === 1,
      disabled: row.disabledAt !== null,
      disabledByPlatform: row.disabledAt !== null && row.disabledBy === null,
    },
  }
}

const byId = preparedFirst((db, { clientId }: { clientId: string }) =>
  db
    .selectFrom('clients')
    .innerJoin('apps', 'apps.id', 'clients.app_id')
    .innerJoin('accounts', 'accounts.id', 'apps.account_id')
    .select(columnsOf('clients', ['appId', 'environment', 'scopes', 'optionalScopes']))
    .select(columnsOf('clients', secretFields))
    .select(columnsOf('apps', [...appFields, ...appFlags, 'disabledAt', 'disabledBy']))
    .select('accounts.name as accountName')
    .where('clients.client_id', '=', clientId)
    .where('apps.deleted_at', 'is', null),
)

/** Addresses that the client may have users sent back to, in alphabetical order. */
export async function listRedirectUris(db: Db, clientId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('redirect_uris')
    .select('uri')
    .where('client_id', '=', clientId)
    .orderBy('uri')
    .execute()
  return rows.map(({ uri }) => uri)
}

/** Whether a redirect address of the client, or of any client, has this origin. */
export async function hasOrigin(db: Db, origin: string, clientId?: string): Promise<boolean> {
  const query = db.selectFrom('redirect_uris').select('uri').where('origin', '=', origin).limit(1)
  const own = clientId === undefined ? query : query.where('client_id', '=', clientId)
  return (await own.executeTakeFirst()) !== undefined
}

/** What a client is registered for. */
export interface ClientRecord {
  clientId: string
  environment: AppEnvironment
  scopes: string[]
  optionalScopes: string[]
  redirectUris: string[]
}

/** An address with the origin that browsers give it. */
export interface RedirectUri {
  uri: string
  origin: string
}

/** Keeps a new set of credentials, without redirect addresses. */
export async function insertClient(
  trx: Db,
  appId: string,
  client: Omit<ClientRecord, 'redirectUris'> & { secretHash: SecretHash },
): Promise<void> {
  await trx
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
}

/** Registers other scopes for a client. */
export async function updateClientScopes(
  trx: Db,
  clientId: string,
  scopes: readonly string[],
  optionalScopes: readonly string[],
): Promise<void> {
  await trx
    .updateTable('clients')
    .set({ scopes: scopes.join(' '), optional_scopes: optionalScopes.join(' ') })
    .where('client_id', '=', clientId)
    .execute()
}

/** Registers these redirect addresses for a client in place of its former ones. */
export async function replaceRedirectUris(
  trx: Db,
  clientId: string,
  uris: readonly RedirectUri[],
): Promise<void> {
  await trx.deleteFrom('redirect_uris').where('client_id', '=', clientId).execute()
  const rows = uris.map(({ uri, origin }) => ({ client_id: clientId, uri, origin }))
  if (rows.length > 0) await trx.insertInto('redirect_uris').values(rows).execute()
}

/** The two sets of credentials of an app. */
export type Clients = Record<AppEnvironment, ClientRecord>

/** The sets of credentials of an app. */
export async function findClients(db: Db, appId: string): Promise<Clients | undefined> {
  const found = await listClientsOf(db, [appId])
  return found.get(appId)
}

/** The sets of credentials of several apps, by app. */
export async function listClientsOf(
  db: Db,
  appIds: readonly string[],
): Promise<Map<string, Clients>> {
  if (appIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('clients')
    .leftJoin('redirect_uris', 'redirect_uris.client_id', 'clients.client_id')
    .select([
      ...columnsOf('clients', ['appId', 'clientId', 'environment', 'scopes', 'optionalScopes']),
      'redirect_uris.uri as uri',
    ])
    .where('clients.app_id', 'in', appIds)
    .orderBy('redirect_uris.uri')
    .execute()
  const byApp = new Map<string, Partial<Clients>>()
  for (const { appId, uri, ...row } of rows) {
    const clients = byApp.get(appId) ?? {}
    byApp.set(appId, clients)
    clients[row.environment] ??= {
      clientId: row.clientId,
      environment: row.environment,
      scopes: parseScopes(row.scopes),
      optionalScopes: parseScopes(row.optionalScopes),
      redirectUris: [],
    }
    if (uri !== null) clients[row.environment]?.redirectUris.push(uri)
  }
  const whole = new Map<string, Clients>()
  for (const [appId, { development, production }] of byApp) {
    if (development && production) whole.set(appId, { development, production })
  }
  return whole
}
