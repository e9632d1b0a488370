import { join } from 'node:path'
import { callback, credentialsOf, password } from '../../support/apps.ts'
import { makeFolder } from '../../support/cleanup.ts'
import { basic, exchange, serverAt, tokensOf } from '../../support/oauth-client.ts'
import { authorizeCode, signIn } from '../../support/people.ts'
import { closedLoop } from '../closed-loop.ts'
import { load } from '../load.ts'
import { applyAccounts, databaseIn, startBenchServer, startScript } from '../processes.ts'

/** Number of connections, each with a refresh token. */
export const connections = 32

/** Starts the built server. */
export async function startOurs() {
  const folder = await makeFolder()
  const applied = await applyAccounts(databaseIn(folder.path), folder.path)
  const { url, stop } = await startBenchServer(folder.path)
  const scheduler = credentialsOf(applied, 'Scheduler')
  const server = serverAt(url)
  const session = await signIn(server, { email: 'member@acme.test', password })
  const authorization = { client_id: scheduler.clientId, redirect_uri: callback }
  const refreshTokens: string[] = []
  while (refreshTokens.length < connections) {
    const { code } = await authorizeCode(session, authorization)
    refreshTokens.push(tokensOf(await exchange(server, scheduler, code)).refresh_token)
  }
  const client = basic(credentialsOf(applied, 'Helper bot'))
  const work = tokenWork('/oauth/token', { client, refreshing: basic(scheduler), refreshTokens })
  return { url, work, stop: () => stop().finally(folder.remove) }
}

/** Starts oidc-provider with an SQLite store. */
export async function startPeer() {
  const folder = await makeFolder()
  const { url, stop } = await startScript('oauth/oidc-peer.js', join(folder.path, 'peer.db'))
  const client = basic({ clientId: 'bench', clientSecret: 'bench-secret' })
  const seeded = await fetch(`${url}/seed?tokens=${connections}`)
  const work = tokenWork('/token', { client, refreshTokens: (await seeded.json()) as string[] })
  return { url, work, stop: () => stop().finally(folder.remove) }
}

/** Creates the token requests to a path, by kind. Requires a refresh token per connection. */
function tokenWork(
  path: string,
  {
    client,
    refreshing = client,
    refreshTokens,
  }: { client: string; refreshing?: string; refreshTokens: string[] },
) {
  const post = (authorization: string) =>
    ({
      path,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    }) as const
  const issue = { ...post(client), body: () => 'grant_type=client_credentials' }
  const { method, headers } = post(refreshing)
  return {
    client_credentials: (url: string, seconds: number) =>
      load(url, [issue], { connections, seconds }),
    'refresh rotation': (url: string, seconds: number) =>
      closedLoop({ connections, seconds }, async (send, connection) => {
        const body = `grant_type=refresh_token&refresh_token=${refreshTokens[connection]}`
        const { status, text } = await send(url + path, { method, headers }, body)
        if (status !== 200) return false
        refreshTokens[connection] = JSON.parse(text).refresh_token
        return true
      }),
  }
}
