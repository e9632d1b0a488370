import { insertApp, type NewAppRecord } from '../apps/store/apps.ts'
import {
  type AppEnvironment,
  type ClientRecord,
  insertClient,
  replaceRedirectUris,
} from '../apps/store/clients.ts'
import type { Context } from '../context/context.ts'
import type { Db } from '../db/open.ts'
import type { Random } from '../runtime/time.ts'
import { createSecret, hashSecret, randomBase62 } from '../secrets/secrets.ts'

type NewClients = Record<AppEnvironment, Omit<ClientRecord, 'environment'>>

/** Returns a client id of 22 letters and digits: 131 bits, unchanged by every encoding of Basic. */
export const createClientId = (random: Random): string => randomBase62(random, 22)

/**
 * Stores a new app with its two sets of credentials. Returns its id and its secrets, which are only
 * available here. Throws `UniqueViolation` if the account has an app of this name.
 */
export async function storeNewApp(
  ctx: Pick<Context, 'clock' | 'encryption' | 'random'>,
  trx: Db,
  app: Omit<NewAppRecord, 'id' | 'createdAt' | 'webhookSecret'>,
  clients: NewClients,
) {
  const id = ctx.random.uuid()
  const secretToken = createSecret('webhookSecret', ctx.random)
  const webhookSecret = ctx.encryption.seal('webhook-secret', id, secretToken)
  await insertApp(trx, { ...app, id, createdAt: ctx.clock.now(), webhookSecret })
  const store = async (environment: AppEnvironment) => {
    const { redirectUris, ...client } = clients[environment]
    const { clientId } = client
    const clientSecret = createSecret('clientSecret', ctx.random)
    const secretHash = hashSecret(clientSecret)
    await insertClient(trx, id, { ...client, environment, secretHash })
    await replaceRedirectUris(trx, clientId, redirectUris)
    return { clientId, clientSecret }
  }
  const development = await store('development')
  return { id, secretToken, development, production: await store('production') }
}
