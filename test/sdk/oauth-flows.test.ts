import { join } from 'node:path'
import {
  AccessDeniedError,
  authorizationCode,
  createClient,
  type TokenStore,
  type Tokens,
} from '@skillpass/client'
import { fileTokenStore } from '@skillpass/client/node'
import { expect, test } from 'vitest'
import { callback, credentialsOf, declare } from '../support/apps.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { startTestServer } from '../support/server.ts'
import { until } from '../support/waiting.ts'
import { declaredUser } from './oauth-user.ts'

const server = await startTestServer()
const applied = await declare(server)
const app = { authUrl: server.url, ...credentialsOf(applied, 'Scheduler'), redirectUri: callback }
const member = declaredUser(server, applied, 'member@acme.test')

/** A clock that client and server share. A wait of the client advances it. */
const clock = {
  now: server.clock.now,
  random: () => 0.5,
  sleep: async (ms: number) => server.clock.advance(ms),
}

/** Asks the member to allow the app and finishes with the callback. */
async function authorize(
  store: TokenStore | undefined,
  options: Parameters<ReturnType<typeof authorizationCode>['start']>[0] = {},
  decision?: 'allow' | 'deny',
) {
  const flow = authorizationCode({ ...app, store }, clock)
  const pending = await flow.start(options)
  return flow.finish(await member.consent(pending.url, decision), pending)
}

test('authorization throws AccessDeniedError if the user denies, and invalid_scope for unknown scopes', async () => {
  await expect(authorize(undefined, {}, 'deny')).rejects.toThrow(AccessDeniedError)
  const unknown = authorize(undefined, { scope: 'user:delete:user:admin' })
  await expect(unknown).rejects.toMatchObject({ code: 'invalid_scope' })
})

test('workers that share a file and refresh concurrently all get tokens, and the grant stays valid', async () => {
  const path = join(await temporaryFolder(), 'tokens.json')
  const store = fileTokenStore(path)
  await authorize(store)
  let before: Tokens | undefined
  // A worker waits only after another has refreshed, so the file will change eventually.
  const sleep = () =>
    until('another worker has saved', async () => {
      return (await store.load())?.refreshToken !== before?.refreshToken
    })
  const worker = () =>
    authorizationCode({ ...app, store: fileTokenStore(path) }, { ...clock, sleep }).resume()
  const workers = await Promise.all(Array.from({ length: 8 }, worker))
  for (let round = 0; round < 3; round++) {
    server.clock.advance(3_600_000)
    before = await store.load()
    const users = await Promise.all(
      workers.map((accessToken) =>
        createClient({ baseUrl: server.url, accessToken, retries: 0 }).platform.users.get({
          params: { userId: 'me' },
        }),
      ),
    )
    expect(new Set(users.map(({ id }) => id))).toEqual(new Set([member.id]))
  }
})
