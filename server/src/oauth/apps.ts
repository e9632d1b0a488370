import { chatbotScope } from '@skillpass/contract'
import type { Context } from '../context.ts'
import type { Db } from '../db/open.ts'
import { Failure, fail } from '../errors.ts'
import { createSecret, hashSecret, randomBase62, type Secret } from '../secrets.ts'
import { originOf } from './app-addresses.ts'
import { type AppSettings, type ClientSettings, checkApp, environments } from './app-rules.ts'
import { type AppRecord, insertApp, updateApp as storeApp } from './store/apps.ts'
import {
  type ClientRecord,
  type Environment,
  findClients,
  insertClient,
  replaceClientSecret,
  replaceRedirectUris,
  updateClientScopes,
} from './store/clients.ts'

/** 22 letters and digits: 131 bits, and safe in every encoding of Basic credentials. */
const clientIdLength = 22

/** How long a client secret stays good after its rotation, ms. */
export const secretOverlap = 24 * 3_600_000

/** Credentials of an app; the secrets exist in this answer alone. */
export interface NewCredentials {
  readonly clientId: string
  readonly clientSecret: Secret
}

/** A new app with its secrets, the one of its webhooks included. */
export interface NewApp {
  readonly id: string
  readonly secretToken: Secret
  readonly development: NewCredentials
  readonly production: NewCredentials
}

type Making = Pick<Context, 'clock' | 'config' | 'random'>

/**
 * Makes an app with its two sets of credentials, in the caller's transaction. Throws
 * VALIDATION_ERROR, and `UniqueViolation` when the account has an app of this name.
 */
export async function createApp(
  ctx: Making,
  trx: Db,
  accountId: string,
  settings: AppSettings,
): Promise<NewApp> {
  refuseInvalid(ctx, settings)
  const id = ctx.random.uuid()
  const now = ctx.clock.now()
  const secretToken = createSecret('webhookSecret', ctx.random)
  await insertApp(trx, {
    ...recordOf(settings, null, now),
    id,
    accountId,
    createdAt: now,
    webhookSecret: secretToken,
  })
  const credentials = {
    development: await createClient(ctx, trx, id, 'development', settings),
    production: await createClient(ctx, trx, id, 'production', settings),
  }
  return { id, secretToken, ...credentials }
}

async function createClient(
  ctx: Making,
  trx: Db,
  appId: string,
  environment: Environment,
  settings: AppSettings,
): Promise<NewCredentials> {
  const clientId = randomBase62(ctx.random, clientIdLength)
  const clientSecret = createSecret('clientSecret', ctx.random)
  const { redirectUris, ...scopes } = tidy(settings[environment])
  const secretHash = hashSecret(clientSecret)
  await insertClient(trx, appId, { clientId, environment, ...scopes, secretHash })
  await replaceRedirectUris(trx, clientId, redirectUris.map(withOrigin))
  return { clientId, clientSecret }
}

/** Gives an app other settings, in the caller's transaction. Its type stays. Throws VALIDATION_ERROR. */
export async function updateApp(
  ctx: Making,
  trx: Db,
  app: AppRecord,
  settings: AppSettings,
): Promise<void> {
  refuseInvalid(ctx, settings)
  if (settings.type !== app.type) fail('VALIDATION_ERROR', 'The type of an app cannot change.')
  await storeApp(trx, { ...app, ...recordOf(settings, app.disabledAt, ctx.clock.now()) })
  const clients = await findClients(trx, app.id)
  for (const environment of environments) {
    const clientId = clients?.[environment].clientId
    if (clientId === undefined) continue
    const { scopes, optionalScopes, redirectUris } = tidy(settings[environment])
    await updateClientScopes(trx, clientId, scopes, optionalScopes)
    await replaceRedirectUris(trx, clientId, redirectUris.map(withOrigin))
  }
}

/** What an app is set to now. */
export function settingsOf(
  app: AppRecord,
  clients: Record<Environment, ClientRecord>,
): AppSettings {
  const { id, accountId, createdAt, disabledAt, ...rest } = app
  return { ...rest, disabled: disabledAt !== null, ...clients }
}

/** What an app of this type has when its developer names no scopes. */
export const defaultScopes = (type: AppSettings['type']): string[] =>
  type === 'chatbot' ? [chatbotScope] : []

/**
 * Gives the client a new secret and keeps the former one good for `secretOverlap`, so that servers
 * can change over one by one. Throws NOT_FOUND.
 */
export async function rotateClientSecret(
  ctx: Pick<Context, 'db' | 'random' | 'steadyNow'>,
  clientId: string,
): Promise<Secret> {
  const secret = createSecret('clientSecret', ctx.random)
  const expiresAt = ctx.steadyNow() + secretOverlap
  const known = await ctx.db.write((trx) =>
    replaceClientSecret(trx, clientId, hashSecret(secret), expiresAt),
  )
  return known ? secret : fail('NOT_FOUND', 'There is no client with this id.')
}

function refuseInvalid({ config }: Pick<Context, 'config'>, settings: AppSettings) {
  const problems = checkApp(settings, config.environment === 'production')
  if (problems.length === 0) return
  const details = problems.map(({ path, message }) => ({
    in: 'body' as const,
    path: path.join('.'),
    message,
  }))
  throw new Failure('VALIDATION_ERROR', { details })
}

function recordOf(settings: AppSettings, disabledAt: number | null, now: number) {
  const { disabled, development, production, ...rest } = settings
  return { ...rest, disabledAt: disabled ? (disabledAt ?? now) : null }
}

/** Everything once; what is named in both lists of scopes is optional. */
function tidy({ scopes, optionalScopes, redirectUris }: ClientSettings): ClientSettings {
  const optional = new Set(optionalScopes)
  return {
    scopes: [...new Set(scopes)].filter((scope) => !optional.has(scope)),
    optionalScopes: [...optional],
    redirectUris: [...new Set(redirectUris)],
  }
}

const withOrigin = (uri: string) => ({ uri, origin: originOf(uri) })
