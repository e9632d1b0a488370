import { createSkillpass, type Double, type DoubleOptions } from '@skillpass/server/testing'
import { describe, expect, test } from 'vitest'
import { callback, generalApp, user } from '../support/apps.ts'
import { afterFile } from '../support/cleanup.ts'
import { exchange, me, pkce, poll, post, refusal, serverAt } from '../support/oauth-client.ts'
import { startReceiver, status } from '../support/receiver.ts'

const member = 'member@acme.test'

const seedWith = (more: object = {}) => ({
  accounts: [{ name: 'Acme', users: [user('owner@acme.test', 'owner'), user(member, 'member')] }],
  apps: [
    generalApp('Scheduler', ['user:read:user'], {
      optionalScopes: ['meeting:write:meeting'],
      deviceFlow: true,
      ...more,
    }),
  ],
  agents: [{ username: 'publisher' }],
})

/** Starts a double that closes after the file's tests. */
async function start(options: DoubleOptions = { seed: seedWith() }) {
  const sp = await createSkillpass(options)
  afterFile(sp.close)
  return sp
}

function appOf(sp: Double) {
  const { Scheduler: app } = sp.seeded.apps
  if (!app) throw new Error('The seed has no app.')
  return app
}

const newDevice = async (sp: Double) =>
  (await post(serverAt(sp.url), '/oauth/devicecode', {}, { app: appOf(sp) })).body

async function grant(sp: Double, user = member) {
  const { code = '' } = await sp.authorize({ app: 'Scheduler', user })
  const { body } = await exchange(serverAt(sp.url), appOf(sp), code)
  return { access: String(body.access_token), refresh: String(body.refresh_token) }
}

describe('start and reset', () => {
  test('doubles run side by side in a process and share nothing', async () => {
    const [one, other] = await Promise.all([start(), start()])
    const { access } = await grant(one)
    expect((await me(serverAt(one.url), access)).status).toBe(200)
    expect((await me(serverAt(other.url), access)).status).toBe(401)
    expect(one.seeded.users[member]?.id).not.toBe(other.seeded.users[member]?.id)
  })

  test('reset brings the seeded rows, secrets and time back', async () => {
    const sp = await start({ seed: seedWith(), now: '2030-01-01T00:00:00Z' })
    const before = structuredClone(sp.seeded)
    const { registry } = sp.client({ agent: 'publisher' })
    const skill = { name: 'Extra', slug: 'extra', description: 'Extra.', readme: '# Extra\n' }
    await registry.skills.publish({ body: skill })
    const { access } = await grant(sp)
    await sp.clock.advance({ days: 400 })

    expect(await sp.reset()).toEqual(before)
    expect(sp.clock.now().toISOString()).toMatch(/^2030-01-01T00:0/)
    expect((await me(serverAt(sp.url), access)).status).toBe(401)
    const { total } = await sp.client().registry.skills.search({ query: { q: 'extra' } })
    expect(total).toBe(0)
    // The key and the slug are as they were: the same skill can be published again.
    await sp.client({ agent: 'publisher' }).registry.skills.publish({ body: skill })
    await grant(sp)
  })

  test('a faulty seed is refused with each of its problems, and an unknown name by name', async () => {
    const faulty = { accounts: [{ name: '' }], apps: [{ name: 'A', account: 'Nobody' }] }
    await expect(createSkillpass({ seed: faulty })).rejects.toThrow(/accounts\[0\]\.name/)
    const sp = await start()
    expect(() => sp.client({ agent: 'nobody' })).toThrow('The seed has no "nobody".')
    const unknown = sp.authorize({ app: 'Nothing', user: member })
    await expect(unknown).rejects.toThrow('There is no app "Nothing".')
  })
})

describe('the clock', () => {
  test('moves the expiry of tokens, codes and devices', async () => {
    const sp = await start()
    const http = serverAt(sp.url)
    const { access } = await grant(sp)
    const { code = '' } = await sp.authorize({ app: 'Scheduler', user: member })
    const device = await newDevice(sp)
    const ask = () => poll(http, appOf(sp), device.device_code)
    expect(refusal(await ask())).toBe('400 authorization_pending')
    expect(refusal(await ask())).toBe('400 slow_down')
    await sp.clock.advance('10s')
    expect(refusal(await ask())).toBe('400 authorization_pending')
    await sp.clock.advance('59m')
    expect((await me(http, access)).status).toBe(200)
    expect(refusal(await exchange(http, appOf(sp), code))).toContain('400 invalid_grant')
    expect(refusal(await ask())).toContain('400 expired_token')
    await sp.clock.advance('1m')
    expect((await me(http, access)).body).toMatchObject({ code: 124 })
  })

  test('stands still, runs and is set', async () => {
    const sp = await start()
    sp.clock.freeze()
    sp.clock.set('2031-05-06T07:08:09.123Z')
    const { headers } = await fetch(`${sp.url}/api/v1/health`)
    expect(headers.get('date')).not.toBeNull()
    expect(sp.clock.now().toISOString()).toBe('2031-05-06T07:08:09.123Z')
    sp.clock.run()
    await expect
      .poll(() => sp.clock.now().getTime())
      .toBeGreaterThan(Date.UTC(2031, 4, 6, 7, 8, 9, 123))
    expect(() => sp.clock.set('tomorrow')).toThrow('tomorrow is not a time.')
    await expect(sp.clock.advance('1 week')).rejects.toThrow(
      'must be a number with ms, s, m, h or d',
    )
  })
})

describe('consent without a browser', () => {
  test('gives the code, or the error, that the browser would take to the app', async () => {
    const sp = await start()
    const { verifier, challenge } = pkce()
    const ask = { app: 'Scheduler', user: member }
    const allowed = await sp.authorize({ ...ask, state: 'a b', codeChallenge: challenge })
    expect(allowed.location).toMatch(/^http:\/\/127\.0\.0\.1:8090\/callback\?code=.*&state=a%20b$/)
    const { code = '' } = allowed
    const { body } = await exchange(serverAt(sp.url), appOf(sp), code, { code_verifier: verifier })
    expect(body.scope).toBe('user:read:user meeting:write:meeting')
    const fewer = await sp.authorize({ ...ask, scopes: ['user:read:user'] })
    const answer = await exchange(serverAt(sp.url), appOf(sp), fewer.code ?? '')
    expect(answer.body.scope).toBe('user:read:user')
    expect(await sp.authorize({ ...ask, decline: true })).toMatchObject({ error: 'access_denied' })
    const foreign = { ...ask, scopes: ['user:read:list_users:admin'] }
    expect(await sp.authorize(foreign)).toMatchObject({ error: 'invalid_scope' })
    const elsewhere = sp.authorize({ ...ask, redirectUri: `${callback}/other` })
    await expect(elsewhere).rejects.toThrow(/redirect/)
  })

  test('approves and denies devices, and removes an app with its event', async () => {
    const sp = await start()
    const http = serverAt(sp.url)
    const [first, second] = [await newDevice(sp), await newDevice(sp)]
    await sp.approveDevice(String(first.user_code), member)
    await sp.denyDevice(String(second.user_code), member)
    const tokens = await poll(http, appOf(sp), first.device_code)
    expect(tokens.status).toBe(200)
    expect(refusal(await poll(http, appOf(sp), second.device_code))).toContain('access_denied')
    await expect(sp.approveDevice('BBBB-BBBB', member)).rejects.toThrow('BBBB-BBBB')
    await sp.removeApp('Scheduler', member)
    expect((await me(http, tokens.body.access_token)).status).toBe(401)
    await expect(sp.removeApp('Scheduler', member)).rejects.toThrow('has not added Scheduler')
  })
})

describe('webhooks', () => {
  /** Starts a double whose app has an endpoint, and makes an event for it. */
  async function startHooked() {
    const receiver = await startReceiver()
    const sp = await start({ seed: seedWith({ deauthorizationUrl: receiver.url('/hooks') }) })
    receiver.trust('/hooks', appOf(sp).secretToken ?? '')
    const removeAgain = async (email = member) => {
      await grant(sp, email)
      await sp.removeApp('Scheduler', email)
    }
    return { receiver, sp, removeAgain }
  }

  test('a refused event is tried again when the clock moves', async () => {
    const { receiver, sp, removeAgain } = await startHooked()
    receiver.answer('/hooks', status(500))
    await removeAgain()
    const failed = await sp.webhooks.next('app_deauthorized')
    expect(failed).toMatchObject({ app: 'Scheduler', status: 'pending' })
    receiver.answer('/hooks', status(204))
    await sp.clock.advance('5m')
    const [delivery] = await sp.webhooks.list({ app: 'Scheduler' })
    expect(delivery).toMatchObject({ id: failed.id, status: 'delivered', body: failed.body })
    expect(delivery?.attempts.map((one) => one.status)).toEqual([500, 204])
    await expect(sp.webhooks.next('app_deauthorized', { timeout: 0 })).rejects.toThrow(
      'No app_deauthorized was sent within 0 ms. There are: app_deauthorized.',
    )
  })

  test('three days of attempts happen on the way', async () => {
    const { receiver, sp, removeAgain } = await startHooked()
    receiver.answer('/hooks', status(500))
    await removeAgain()
    await sp.clock.advance('4d')
    const [delivery] = await sp.webhooks.list()
    expect(delivery?.status).toBe('failed')
    const times = (delivery?.attempts ?? []).map(({ at }) => Date.parse(at))
    const minutes = times.map((time) => Math.round((time - (times[0] ?? 0)) / 60_000))
    expect(minutes).toEqual([0, 5, 25, 85, 265, 625, 1345, 2545, 4285])
  })

  test('events are held, doubled, reversed and sent again on request', async () => {
    const { receiver, sp, removeAgain } = await startHooked()
    sp.webhooks.hold()
    await removeAgain()
    await removeAgain('owner@acme.test')
    await sp.webhooks.flush()
    expect(receiver.deliveries('/hooks')).toEqual([])
    await sp.webhooks.release({ order: 'reversed', copies: 2 })
    const users = receiver.deliveries('/hooks').map(({ event }) => event.payload.user_id)
    const [ofMember, ofOwner] = [sp.seeded.users[member], sp.seeded.users['owner@acme.test']]
    expect(users).toEqual([ofOwner?.id, ofOwner?.id, ofMember?.id, ofMember?.id])
    const [first] = await sp.webhooks.list()
    const again = await sp.webhooks.redeliver(first?.id ?? '')
    expect(again.attempts).toHaveLength(3)
    expect(receiver.deliveries('/hooks')).toHaveLength(5)
    await expect(sp.webhooks.redeliver('none')).rejects.toThrow('There is no delivery none.')
  })
})
