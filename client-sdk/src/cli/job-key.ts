import { type Client, registryConnection } from '../client.ts'
import { asRecord, stringField } from '../untrusted.ts'
import { clientFor, printable, type Terminal } from './command.ts'

/**
 * Returns a client with a key for the CI job that runs the command (trusted publishing), perhaps
 * for one owner or repository. Returns the given client if it has a key, or if no job has a token.
 */
export async function withJobKey(
  client: Client,
  terminal: Terminal,
  limitedTo?: string,
): Promise<Client> {
  const { address, apiKey } = registryConnection(client)
  const token = apiKey === undefined ? await tokenFor(client, address, terminal) : undefined
  if (token === undefined) return client
  const { data } = await client.registry.trustedPublishers.exchange({
    body: { token, ...(limitedTo && { limitedTo }) },
  })
  terminal.warn(`This job may publish in ${printable(data.limitedTo ?? '')}.\n`)
  return clientFor(terminal, address, { apiKey: data.key, from: 'The registry' })
}

/** Returns the OIDC token of the job for a registry, if the environment has one. */
async function tokenFor(client: Client, audience: string, { env }: Terminal) {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: url, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } = env
  if (env.SKILLPASS_ID_TOKEN?.trim()) return env.SKILLPASS_ID_TOKEN.trim()
  if (!url || !secret) return undefined
  const request = new URL(url)
  request.searchParams.set('audience', audience)
  const { fetch } = registryConnection(client).transport
  const response = await fetch(request, { headers: { authorization: `Bearer ${secret}` } })
  const token = response.ok ? stringField(asRecord(await response.json()), 'value') : undefined
  if (token) return token
  throw new Error(`GitHub gave no token for this job (status ${response.status}). Run it again.`)
}
