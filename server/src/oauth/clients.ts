import { basicScopes, isClassicScope, scopeCatalogue, scopeLevel } from '@skillpass/contract'
import { UniqueViolation } from '../db/errors.ts'
import type { Db } from '../db/open.ts'
import { Failure, fail } from '../errors/failure.ts'
import type { Context, OperatorContext } from '../runtime/context.ts'
import { isSameLoopback } from '../runtime/loopback.ts'
import type { FetchedJson } from '../runtime/outbound/fetch-json.ts'
import type { Random } from '../secrets/random.ts'
import { createSecret, hashSecret, randomBase62 } from '../secrets/secrets.ts'
import { insertApp, isAppNamed, type NewAppRecord } from '../store/oauth/apps.ts'
import * as clientStore from '../store/oauth/clients.ts'
import { ensureAccount } from '../store/platform/accounts.ts'
import { isReservedTitle, reservedNameMessage, titleReadings } from '../text/reserved.ts'
import { wordSkeletons } from '../text/skeleton.ts'
import {
  fetchClientDocument,
  isDocumentAddress,
  isWebAddress,
  nameOfDocument,
} from './client-documents.ts'

/** Whether the client describes itself, so that its name and its maker are only claims. */
export const isUnverified = ({ app }: Pick<clientStore.OAuthClient, 'app'>): boolean =>
  app.accountId === unverifiedAccount.id

/** A client that cannot be used, with the problem of its document. */
type UnusableClient = Exclude<FetchedJson, { json: unknown }>

/**
 * Finds a client by its id: a registered one, or one that a document describes. A document is read
 * at every use, so that its changes apply to earlier grants too
 * (spec/decisions.md#client-documents).
 */
export async function findOAuthClient(ctx: Context, clientId: string) {
  const stored = await clientStore.findClient(ctx.db.read, clientId)
  const isDocument = isWebAddress(clientId) && (!stored || isUnverified(stored))
  if (!isDocument) return stored
  if (!isDocumentAddress(ctx, clientId)) return undefined
  const document = await fetchClientDocument(ctx, clientId)
  if ('reason' in document) return document
  const client = stored ?? newClient(clientId)
  const publicClient = document.authMethod === 'none'
  const isNameable = (await findNameIssue(ctx.db.read, document.name ?? '')) === undefined
  const shown = { ...document, name: isNameable ? document.name : undefined }
  return { ...client, document: shown, app: { ...client.app, publicClient } }
}

/**
 * Finds a client that a user was asked about before. It fetches no unknown document, because anyone
 * can name a client at the token endpoint. Throws temporarily_unavailable if a document cannot be
 * used.
 */
export async function findKnownClient(ctx: Context, clientId: string) {
  if (isWebAddress(clientId) && !(await clientStore.findClient(ctx.db.read, clientId)))
    return undefined
  const client = await findOAuthClient(ctx, clientId)
  // The reason may be an outage, after which the client's tokens must still work.
  if (client && 'reason' in client) fail('temporarily_unavailable', unusable(client))
  return client
}

/** Says why a client cannot be used. Throws 429 if the reason is the bound on fetches. */
export function unusable({ reason, retryAfter }: UnusableClient): string {
  if (retryAfter) throw new Failure(429, { message: reason, retryAfter })
  return `The document at client_id cannot be used. ${reason}`
}

/** Settings of an app that nobody registered at the console. */
const unverifiedApp = (name: string, publicClient: boolean) =>
  ({
    name,
    publicClient,
    accountId: unverifiedAccount.id,
    type: 'general',
    level: 'user',
    visibility: 'public',
    deviceFlow: false,
    requireS256: true,
    deauthorizationUrl: null,
    events: [],
    createdBy: null,
    disabledAt: null,
    disabledBy: null,
  }) as const

/** Scopes that unverified clients may have besides the basic ones, if the user ticks them. */
export const otherScopes = scopeCatalogue
  .map(({ scope }) => scope)
  .filter((one) => /^(user|meeting):/.test(one) && scopeLevel(one) === 'user')
  .filter((one) => !isClassicScope(one) && !basicScopes.includes(one))

const unverifiedScopes = () => ({ scopes: [...basicScopes], optionalScopes: [...otherScopes] })

/** A client without rows: nobody has signed in for it yet. */
function newClient(clientId: string): clientStore.OAuthClient {
  const stored = { id: '', createdAt: 0, validatedUrl: null, byOperator: false }
  const { name: accountName } = unverifiedAccount
  return {
    ...unverifiedScopes(),
    clientId,
    environment: 'production',
    secretHash: '',
    previousSecretHash: null,
    previousSecretExpiresAt: null,
    app: { ...unverifiedApp(nameOfDocument(clientId), true), ...stored, accountName },
  }
}

/**
 * Stores the app of a document at the first request of a signed-in user, with the rows that
 * approval, removal and the operator's commands need. Throws unauthorized_client if the operator
 * deleted it.
 */
export async function storeClient(
  ctx: Context,
  client: clientStore.OAuthClient,
): Promise<clientStore.OAuthClient> {
  const { clientId, document, app } = client
  if (!document || app.id !== '') return client
  const { name, publicClient } = app
  const { redirectUris } = document
  const stored = { ...unverifiedScopes(), clientId, name, publicClient, redirectUris }
  try {
    await ctx.db.write((trx) => storeUnverifiedClient(ctx, trx, stored))
  } catch (error) {
    // Another request stored it first.
    if (!(error instanceof UniqueViolation)) throw error
  }
  return (await findKnownClient(ctx, clientId)) ?? fail('unauthorized_client')
}

/** Stores an app that nobody registered at the console. Throws `UniqueViolation`. */
export async function storeUnverifiedClient(
  ctx: Context,
  trx: Db,
  { name, publicClient, redirectUris, ...client }: UnverifiedClient,
): Promise<void> {
  const more = { masterAccountId: null, requireAppApproval: false, createdAt: ctx.clock.now() }
  await ensureAccount(trx, { ...unverifiedAccount, ...more })
  // Every app has both sets of credentials. Nobody knows the secrets of these.
  await storeNewApp(ctx, trx, unverifiedApp(name, publicClient), {
    production: { ...client, redirectUris },
    development: { ...client, clientId: ctx.random.uuid(), redirectUris: [] },
  })
}

interface UnverifiedClient extends Omit<clientStore.ClientRecord, 'environment'> {
  /** Unique among unverified apps. */
  name: string
  publicClient: boolean
}

export const listRedirectUrisOf = async (
  db: Db,
  client: clientStore.OAuthClient,
): Promise<string[]> =>
  client.document?.redirectUris ?? (await clientStore.listRedirectUris(db, client.clientId))

/**
 * Whether codes may be sent to an address. Only unverified clients have loopback ports to choose.
 */
export async function isRedirectUri(
  db: Db,
  client: clientStore.OAuthClient,
  uri: string,
): Promise<boolean> {
  const registered = await listRedirectUrisOf(db, client)
  if (registered.includes(uri)) return true
  return isUnverified(client) && registered.some((one) => isSameLoopback(uri, one))
}

/** Account of all apps that nobody registered at the console. It has no users. */
export const unverifiedAccount = {
  id: '00000000-0000-4000-8000-000000000000',
  name: 'an unverified developer',
}

/** Returns the problem with a name that a client gives itself, or undefined. */
export async function findNameIssue(db: Db, name: string): Promise<string | undefined> {
  const isVisible = /[\p{L}\p{N}]/u.test(name) && wordSkeletons(name).length > 0
  if (!isVisible) return 'must have a letter or a digit'
  if (isReservedTitle(name)) return reservedNameMessage
  return (await isAppNamed(db, titleReadings(name), unverifiedAccount.id))
    ? 'looks like the name of a registered app: choose another one'
    : undefined
}

/** Returns a client id of 22 letters and digits: 131 bits, unchanged by every encoding of Basic. */
export const createClientId = (random: Random): string => randomBase62(random, 22)

/**
 * Stores a new app with its two sets of credentials. Returns its id and its secrets, which are only
 * available here. Throws `UniqueViolation` if the account has an app of this name.
 */
export async function storeNewApp(
  ctx: OperatorContext,
  trx: Db,
  app: Omit<NewAppRecord, 'id' | 'createdAt' | 'webhookSecret'>,
  clients: Record<clientStore.AppEnvironment, Omit<clientStore.ClientRecord, 'environment'>>,
) {
  const id = ctx.random.uuid()
  const secretToken = createSecret('webhookSecret', ctx.random)
  const webhookSecret = ctx.encryption.seal('webhook-secret', id, secretToken)
  await insertApp(trx, { ...app, id, createdAt: ctx.clock.now(), webhookSecret })
  const store = async (environment: clientStore.AppEnvironment) => {
    const { redirectUris, ...client } = clients[environment]
    const { clientId } = client
    const clientSecret = createSecret('clientSecret', ctx.random)
    const secretHash = hashSecret(clientSecret)
    await clientStore.insertClient(trx, id, { ...client, environment, secretHash })
    await clientStore.replaceRedirectUris(trx, clientId, redirectUris)
    return { clientId, clientSecret }
  }
  const development = await store('development')
  return { id, secretToken, development, production: await store('production') }
}
