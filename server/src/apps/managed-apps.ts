import { isStorable } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import { type ListPage, pageOf, placeOf, textPlace } from '../db/page-token.ts'
import { fail } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { type Developer, requireReach } from './developer.ts'
import {
  type AppRecord,
  type AppSelection,
  countApps,
  findApp,
  holdApp,
  listApps,
} from './store/apps.ts'
import { type ClientRecord, type Clients, findClients, findClientsOf } from './store/clients.ts'

/** An app as those who manage it see it. */
export interface ManagedApp extends AppRecord {
  readonly development: ClientRecord
  readonly production: ClientRecord
  /** Whether its endpoint has answered the validation request (open-points D). */
  readonly endpointIsValid: boolean
}

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
  const clientsOf = await findClientsOf(
    read,
    items.map(({ id }) => id),
  )
  return {
    items: items.map((app) => managed(app, clientsOf(app.id))),
    total: await countApps(read, selection),
    nextPageToken,
  }
}

/** An app that the developer manages. Throws app_not_found, for what is another's too. */
export const getManagedApp = (
  { db }: Pick<OAuthContext, 'db'>,
  developer: Developer,
  appId: string,
): Promise<ManagedApp> => findOwn(db.read, developer, appId, findApp)

/** An app that the developer may change, held in a transaction that goes on to do so. */
export async function holdManaged(
  trx: Db,
  developer: Developer,
  appId: string,
): Promise<ManagedApp> {
  const app = await findOwn(trx, developer, appId, holdApp)
  requireReach(developer, app)
  return app
}

async function findOwn(
  db: Db,
  developer: Developer,
  appId: string,
  find: typeof findApp,
): Promise<ManagedApp> {
  const app = isStorable(appId) ? await find(db, appId) : undefined
  if (app?.accountId !== developer.accountId) fail('app_not_found')
  const isMade = app.createdBy !== null && app.createdBy === developer.userId
  if (!developer.seesAll && !isMade) fail('app_not_found')
  return managed(app, await findClients(db, app.id))
}

/** An app as it is once a transaction has changed it. */
export async function readManaged(trx: Db, appId: string): Promise<ManagedApp> {
  const app = (await findApp(trx, appId)) ?? fail('app_not_found')
  return managed(app, await findClients(trx, appId))
}

const managed = (app: AppRecord, clients: Clients): ManagedApp => ({
  ...app,
  ...clients,
  endpointIsValid: app.deauthorizationUrl !== null && app.deauthorizationUrl === app.validatedUrl,
})

/** The apps that the developer manages; nothing where there is nobody to have made one. */
function selectionOf({ accountId, userId, seesAll }: Developer): AppSelection | undefined {
  if (seesAll) return { accountId }
  return userId === null ? undefined : { accountId, createdBy: userId }
}
