import { isStorable } from '@skillpass/contract'
import type { Db } from '../db/open.ts'
import { type PageAsked, readPage, textPlace } from '../db/page-token.ts'
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

/** A page of the developer's apps by name. Throws validation_failed for an invalid token. */
export async function listManagedApps(
  { db }: OAuthContext,
  developer: Developer,
  asked: PageAsked,
) {
  const selection = selectionOf(developer)
  const page = await readPage(
    `apps ${developer.accountId} ${selection?.createdBy ?? ''}`,
    textPlace,
    asked,
    async (after, limit) =>
      selection ? listApps(db.read, { ...selection, after: after?.[0] ?? '', limit }) : [],
    ({ name }) => [name],
  )
  const clientsOf = await findClientsOf(
    db.read,
    page.items.map(({ id }) => id),
  )
  return {
    items: page.items.map((app) => managed(app, clientsOf(app.id))),
    total: selection ? await countApps(db.read, selection) : 0,
    nextPageToken: page.nextPageToken,
  }
}

/** Returns an app that the developer manages. Throws app_not_found for other apps as well. */
export const getManagedApp = (
  { db }: OAuthContext,
  developer: Developer,
  appId: string,
): Promise<ManagedApp> => findOwn(db.read, developer, appId, findApp)

/** Locks an app that the developer may change. Throws app_not_found, insufficient_scope. */
export async function lockManagedApp(
  trx: Db,
  developer: Developer,
  appId: string,
): Promise<ManagedApp> {
  const app = await findOwn(trx, developer, appId, lockApp)
  requireManagement(developer, app)
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
  if (!developer.managesAllApps && !isMade) fail('app_not_found')
  return managed(app, await findClients(db, app.id))
}

/** Reads an app after a change in the same transaction. */
export async function readManagedApp(trx: Db, appId: string): Promise<ManagedApp> {
  const app = (await findApp(trx, appId)) ?? fail('app_not_found')
  return managed(app, await findClients(trx, appId))
}

const managed = (app: AppRecord, clients: Clients): ManagedApp => ({
  ...app,
  ...clients,
  endpointIsValid: app.deauthorizationUrl !== null && app.deauthorizationUrl === app.validatedUrl,
})

/** The apps that the developer manages, or undefined for an account token without a user. */
function selectionOf({ accountId, userId, managesAllApps }: Developer): AppSelection | undefined {
  if (managesAllApps) return { accountId }
  return userId === null ? undefined : { accountId, createdBy: userId }
}
