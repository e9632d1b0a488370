import { join } from 'node:path'
import {
  AccessDeniedError,
  accountToken,
  authorizationCode,
  createClient,
  deviceFlow,
  type TokenStore,
  type Tokens,
} from '@skillpass/client'
import { fileTokenStore } from '@skillpass/client/node'
import { describe, expect, test } from 'vitest'
import { accountOf, callback, credentialsOf, declare, userOf } from '../support/apps.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { startTestServer } from '../support/server.ts'
import { until } from '../support/waiting.ts'
import { declaredUser, type TestUser, type UserDecision } from './oauth-user.ts'

const server = await startTestServer()
const applied = await declare(server)
const accountId = accountOf(applied, 'Acme').id
const me = { params: { userId: 'me' } }

/** The client and the server share a clock; a wait of the client moves it. */
const clock = {
  now: server.clock.now,
  random: () => 0.5,
  async sleep(ms: number) {
    server.clock.advance(ms)
  },
}
const hour = 3_600_000

/** The credentials of an app. */
const app = (name: string) => ({ authUrl: server.url, ...credentialsOf(applied, name) })

const platformWith = (accessToken: Parameters<typeof createClient>[0]['accessToken']) =>
  createClient({ baseUrl: server.url, accessToken, retries: 0 }).platform

const member = declaredUser(server, applied, 'member@acme.test')

async function tokenFile() {
  return join(await temporaryFolder(), 'tokens.json')
}

describe('an account token against the server', () => {
  const tokens = () => accountToken({ ...app('Reporter'), accountId }, clock)

  test("an account token opens the account's API as the app's owner, and is renewed every hour", async () => {
    const accessToken = tokens()
    const { users } = platformWith(accessToken)
    const seen = new Set<string>()
    for (let n = 0; n < 3; n++) {
      expect((await users.get(me)).id).toBe(userOf(applied, 'owner@acme.test').id)
      seen.add(await accessToken.getToken())
      server.clock.advance(hour)
    }
    expect(seen.size).toBe(3)
    expect((await accessToken.granted()).scopes).toContain('user:read:user:admin')
  })
})

describe('user authorization against the server', () => {
  /** Asks a user to allow an app; `finish` takes the callback. */
  async function authorized(
    who: TestUser,
    options: { store?: TokenStore },
    asked: Parameters<ReturnType<typeof authorizationCode>['start']>[0] = {},
    decision: UserDecision = {},
  ) {
    const flow = authorizationCode(
      { ...app('Scheduler'), redirectUri: callback, ...options },
      clock,
    )
    const pending = await flow.start(asked)
    const location = await who.consent(pending.url, decision)
    return { flow, pending, location, finish: () => flow.finish(location, pending) }
  }

  test('user authorization returns the optional scopes that the user has ticked, and includes them the next time', async () => {
    const optionalScope = ['meeting:write:meeting']
    const asked = { scope: 'user:read:user', optionalScope }
    const without = await (await authorized(member, {}, asked)).finish()
    expect((await without.granted()).scopes).toEqual(['user:read:user'])
    const ticked = { ticked: optionalScope }
    const withIt = await (await authorized(member, {}, asked, ticked)).finish()
    expect((await withIt.granted()).scopes).toEqual(['user:read:user', 'meeting:write:meeting'])
    const included = { scope: 'user:read:user', includeGrantedScopes: true }
    const again = await (await authorized(member, {}, included)).finish()
    expect((await again.granted()).scopes).toContain('meeting:write:meeting')
  })

  test('user authorization throws AccessDeniedError if the user denies, and invalid_scope for an unknown scope', async () => {
    const denied = await authorized(member, {}, {}, { allow: false })
    await expect(denied.finish()).rejects.toThrow(AccessDeniedError)
    const unknown = await authorized(member, {}, { scope: 'user:delete:user:admin' })
    await expect(unknown.finish()).rejects.toMatchObject({ code: 'invalid_scope' })
  })

  test('workers that refresh at once over one file all get tokens, and the grant stays alive', async () => {
    const path = await tokenFile()
    await (await authorized(member, { store: fileTokenStore(path) })).finish()
    const store = fileTokenStore(path)
    let before: Tokens | undefined
    // A worker waits only after another one has refreshed, so the file changes, however late.
    const sleep = () =>
      until('another worker has saved', async () => {
        return (await store.load())?.refreshToken !== before?.refreshToken
      })
    const worker = () => {
      const options = { ...app('Scheduler'), redirectUri: callback, store: fileTokenStore(path) }
      return authorizationCode(options, { ...clock, sleep }).resume()
    }
    const workers = await Promise.all(Array.from({ length: 8 }, worker))
    for (let round = 0; round < 3; round++) {
      server.clock.advance(hour)
      before = await store.load()
      const users = await Promise.all(workers.map((worker) => platformWith(worker).users.get(me)))
      expect(new Set(users.map(({ id }) => id))).toEqual(new Set([member.id]))
    }
  })
})

describe('the device flow against the server', () => {
  test('the device flow waits for the user, then opens their data and refreshes', async () => {
    // The user takes four polls' time.
    const sleep: typeof clock.sleep = async (ms) => {
      await clock.sleep(ms)
      if (++waits === 4) await member.enterCode(device.userCode)
    }
    const flow = deviceFlow({ ...app('Scheduler'), scope: 'user:read:user' }, { ...clock, sleep })
    let waits = 0
    const device = await flow.start()
    expect(device.userCode).toMatch(/^[A-Z]{4}-[A-Z]{4}$/)
    expect(device.verificationUri).toMatch(/^http.*\/oauth_device$/)
    expect(device.verificationUriComplete).toContain(device.userCode)
    expect(device.expiresIn).toBe(900)
    const tokens = await device.wait()
    expect(waits).toBe(4)
    expect((await tokens.granted()).scopes).toEqual(['user:read:user'])
    server.clock.advance(hour)
    expect((await platformWith(tokens).users.get(me)).id).toBe(member.id)
  })
})
