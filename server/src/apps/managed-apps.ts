import { isStorable } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import { type PageRequest, readPage, textPlace } from '../db/page-token.ts'
import { fail } from '../errors/failure.ts'
import type { OAuthContext } from '../oauth/context.ts'
import { type Developer, requireManagement } from './developer.ts'
import {
  type AppRecord,
  type AppSelection,
  countApps,
  findApp,
  listApps,
  lockApp,
} from './store/apps.ts'
import { type ClientRecord, type Clients, findClients, findClientsOf } from './store/clients.ts'

export interface ManagedApp extends AppRecord {
  readonly development: ClientRecord
  readonly production: ClientRecord
  /** Whether the endpoint has passed validation (spec/decisions.md#endpoint-validation). */
  readonly endpointIsValid: boolean
}

/** Returns a page of the developer's apps, sorted by name. Throws validation_failed. */
export async function listManagedApps(
  { db }: OAuthContext,
  developer: Developer,
  pageRequest: PageRequest,
) {
  const selection = selectionOf(developer)
  const page = await readPage(
    `apps ${developer.accountId} ${selection?.createdBy ?? ''}`,
    textPlace,
    pageRequest,
    async (after, limit) =>
      selection ? listApps(db.read, { ...selection, after: after?.[0] ?? '', limit }) : [],
    ({ name }) => [name],
  )
  const ids = page.items.map(({ id }) => id)
  const clientsOf = await findClientsOf(db.read, ids)
  return {
    items: page.items.map((app) => toManagedApp(app, clientsOf(app.id))),
    total: selection ? await countApps(db.read, selection) : 0,
    nextPageToken: page.nextPageToken,
  }
}

/** Returns an app that the developer manages. Throws app_not_found for other apps as well. */
export const getManagedApp = ({ db }: OAuthContext, developer: Developer, appId: string) =>
  findManaged(db.read, developer, appId, findApp)

/** Locks an app that the developer may change. Throws app_not_found, insufficient_scope. */
export async function lockManagedApp(trx: Db, developer: Developer, appId: string) {
  const app = await findManaged(trx, developer, appId, lockApp)
  requireManagement(developer, app)
  return app
}

async function findManaged(db: Db, developer: Developer, appId: string, find: typeof findApp) {
  const app = isStorable(appId) ? await find(db, appId) : undefined
  if (app?.accountId !== developer.accountId) fail('app_not_found')
  const isCreator = app.createdBy !== null && app.createdBy === developer.userId
  if (!developer.managesAllApps && !isCreator) fail('app_not_found')
  return toManagedApp(app, await findClients(db, app.id))
}

export async function readManagedApp(trx: Db, appId: string): Promise<ManagedApp> {
  const app = (await findApp(trx, appId)) ?? fail('app_not_found')
  return toManagedApp(app, await findClients(trx, appId))
}

const toManagedApp = (app: AppRecord, clients: Clients): ManagedApp => ({
  ...app,
  ...clients,
  endpointIsValid: app.deauthorizationUrl !== null && app.deauthorizationUrl === app.validatedUrl,
})

/** The apps that the developer manages, or undefined for an account token without a user. */
function selectionOf({ accountId, userId, managesAllApps }: Developer): AppSelection | undefined {
  if (managesAllApps) return { accountId }
  return userId === null ? undefined : { accountId, createdBy: userId }
}
