import { parseScopes } from '@skillpass/contract'
import type { Db } from '../../db/open.ts'
import type { AppTable } from '../../db/schema.ts'
import type { SecretHash } from '../../secrets.ts'

type Environment = 'development' | 'production'

/** An app as its developer sees it. Times are milliseconds since 1970. */
export interface AppRecord {
  id: string
  accountId: string
  name: string
  type: AppTable['type']
  level: AppTable['level']
  visibility: AppTable['visibility']
  deviceFlow: boolean
  publicClient: boolean
  requireS256: boolean
  deauthorizationUrl: string | null
  createdAt: number
  disabledAt: number | null
}

/** One of the two sets of credentials, without the secret. */
export interface ClientRecord {
  clientId: string
  environment: Environment
  scopes: string[]
  optionalScopes: string[]
  redirectUris: string[]
}

/** An address with the origin that browsers give it. */
export interface RedirectUri {
  uri: string
  origin: string
}

const columns = [
  'id',
  'account_id as accountId',
  'name',
  'type',
  'level',
  'visibility',
  'device_flow as deviceFlow',
  'public_client as publicClient',
  'require_s256 as requireS256',
  'deauthorization_url as deauthorizationUrl',
  'created_at as createdAt',
  'disabled_at as disabledAt',
] as const

type Flags = 'deviceFlow' | 'publicClient' | 'requireS256'
type Row = Omit<AppRecord, Flags> & Record<Flags, 0 | 1>

const record = (row: Row): AppRecord => ({
  ...row,
  deviceFlow: row.deviceFlow === 1,
  publicClient: row.publicClient === 1,
  requireS256: row.requireS256 === 1,
})

/** What of an app may change. */
const changeable = (app: Omit<AppRecord, 'id' | 'accountId' | 'createdAt'>) => ({
  name: app.name,
  type: app.type,
  level: app.level,
  visibility: app.visibility,
  device_flow: flag(app.deviceFlow),
  public_client: flag(app.publicClient),
  require_s256: flag(app.requireS256),
  deauthorization_url: app.deauthorizationUrl,
  disabled_at: app.disabledAt,
})

const flag = (value: boolean): 0 | 1 => (value ? 1 : 0)

/** Keeps a new app. Throws `UniqueViolation` when the account has one of this name. */
export async function insertApp(
  trx: Db,
  app: AppRecord & { webhookSecret: string },
): Promise<void> {
  await trx
    .insertInto('apps')
    .values({
      ...changeable(app),
      id: app.id,
      account_id: app.accountId,
      webhook_secret: app.webhookSecret,
      created_at: app.createdAt,
    })
    .execute()
}

/** Writes all that may change of an app. */
export async function updateApp(trx: Db, app: AppRecord): Promise<void> {
  await trx.updateTable('apps').set(changeable(app)).where('id', '=', app.id).execute()
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
      client_id: client.clientId,
      app_id: appId,
      environment: client.environment,
      secret_hash: client.secretHash,
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

/**
 * Gives the client a new secret; the one before stays good until `previousExpiresAt`, ms. False when
 * there is no such client.
 */
export async function replaceClientSecret(
  trx: Db,
  clientId: string,
  secretHash: SecretHash,
  previousExpiresAt: number,
): Promise<boolean> {
  const row = await trx
    .updateTable('clients')
    .set((eb) => ({
      previous_secret_hash: eb.ref('secret_hash'),
      previous_secret_expires_at: previousExpiresAt,
      secret_hash: secretHash,
    }))
    .where('client_id', '=', clientId)
    .returning('client_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The app with this id. */
export async function findApp(db: Db, id: string): Promise<AppRecord | undefined> {
  const row = await db.selectFrom('apps').select(columns).where('id', '=', id).executeTakeFirst()
  return row && record(row)
}

/** The apps with this name, of one account or of all. */
export async function listAppsByName(
  db: Db,
  name: string,
  accountId?: string,
): Promise<AppRecord[]> {
  const query = db.selectFrom('apps').select(columns).where('name', '=', name).orderBy('id')
  const own = accountId === undefined ? query : query.where('account_id', '=', accountId)
  return (await own.execute()).map(record)
}

/** Both sets of credentials of an app. */
export async function findClients(
  db: Db,
  appId: string,
): Promise<Record<Environment, ClientRecord> | undefined> {
  const rows = await db
    .selectFrom('clients')
    .leftJoin('redirect_uris', 'redirect_uris.client_id', 'clients.client_id')
    .select([
      'clients.client_id as clientId',
      'clients.environment as environment',
      'clients.scopes as scopes',
      'clients.optional_scopes as optionalScopes',
      'redirect_uris.uri as uri',
    ])
    .where('clients.app_id', '=', appId)
    .orderBy('redirect_uris.uri')
    .execute()
  const of = (environment: Environment): ClientRecord | undefined => {
    const own = rows.filter((row) => row.environment === environment)
    const [first] = own
    return (
      first && {
        clientId: first.clientId,
        environment,
        scopes: parseScopes(first.scopes),
        optionalScopes: parseScopes(first.optionalScopes),
        redirectUris: own.flatMap(({ uri }) => uri ?? []),
      }
    )
  }
  const [development, production] = [of('development'), of('production')]
  return development && production && { development, production }
}
