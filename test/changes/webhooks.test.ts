import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createOrganization } from '../support/organizations.ts'
import { startReceiver, status } from '../support/receiver.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, nobody, publish, unique } from '../support/skills.ts'
import { eventually, until } from '../support/waiting.ts'

const server = await startTestServer()
const receiver = await startReceiver()
const acme = await createOrganization(server, { defaultVisibility: 'private' })
const { username } = acme
const params = { username }
const { webhooks, skills, organizations } = acme.owner.client.registry
const path = `/api/v1/organizations/${username}/webhooks`

/** Creates a webhook at its own path, and publishes a private skill. */
async function hook(events: Parameters<typeof webhooks.create>[0]['body']['events']) {
  const at = `/${unique('hook')}`
  const { data } = await webhooks.create({ params, body: { url: receiver.url(at), events } })
  return { ...data, at, received: () => receiver.deliveries(at) }
}

const publishIn = async (owner = username, readme = unique('readme')) =>
  (await skills.publish({ body: { name: 'Deploy', slug: unique('deploy'), readme, owner } })).data

test('an event is signed by Standard Webhooks, and sent again after a failure until it is received', async () => {
  const { at, secret, received, id } = await hook(['skill.published', 'skill.published'])
  expect(secret).toMatch(/^whsec_[0-9A-Za-z]{44}$/)
  receiver.answer(at, status(500))
  const skill = await publishIn()
  await until('the first attempt', () => received().length === 1)
  const lastOf = async () =>
    (await webhooks.list({ params })).data.find((one) => one.id === id)?.lastDelivery
  await eventually(async () =>
    expect(await lastOf()).toMatchObject({
      type: 'skill.published',
      status: 'pending',
      error: expect.stringContaining('500'),
    }),
  )
  receiver.answer(at, status(204))
  server.clock.advance(5 * 60_000)
  await until('the second attempt', () => received().length === 2)
  const [first, second] = received()
  const { body = '', headers = {} } = first ?? {}
  const signed = Object.fromEntries(
    ['id', 'timestamp', 'signature'].map((name) => [
      `webhook-${name}`,
      `${headers[`webhook-${name}`]}`,
    ]),
  )
  expect(new Webhook(secret).verify(body, signed)).toEqual(JSON.parse(body))
  expect(() => new Webhook(secret).verify(`${body} `, signed)).toThrow()
  expect(Object.keys(headers).filter((name) => name.startsWith('x-zm'))).toEqual([])
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toBe(first?.body)
  const { digest, version } = skill
  expect(JSON.parse(second?.body ?? '')).toEqual({
    type: 'skill.published',
    timestamp: expect.stringMatching(/Z$/),
    data: {
      type: 'skill.published',
      at: expect.stringMatching(/Z$/),
      id: skill.id,
      owner: username,
      address: `${username}/${skill.repo.name}/${skill.slug}`,
      version,
      digest,
    },
  })
  await eventually(async () =>
    expect(await lastOf()).toMatchObject({ status: 'delivered', error: null }),
  )
})

test('a webhook gets only the events of its types and of its organization, and none after its removal', async () => {
  const [deleted, both] = [
    await hook(['skill.deleted']),
    await hook(['skill.deleted', 'skill.updated']),
  ]
  const other = await createOrganization(server)
  const foreign = await publish(other.owner)
  await other.owner.client.registry.skills.delete({ params: { id: foreign.id } })
  const { id } = await publishIn()
  await skills.update({ params: { id }, body: { description: 'Better.' } })
  await skills.delete({ params: { id } })
  await until('all events', () => both.received().length === 2 && deleted.received().length === 1)
  const typesOf = (of: typeof both) =>
    of
      .received()
      .map(({ body }) => (JSON.parse(body) as { type: string }).type)
      .sort()
  expect([typesOf(deleted), typesOf(both)]).toEqual([
    ['skill.deleted'],
    ['skill.deleted', 'skill.updated'],
  ])
  receiver.answer(both.at, status(500))
  await skills.delete({ params: { id: (await publishIn()).id } })
  await until('the failed attempt', () => both.received().length === 3)
  await webhooks.delete({ params: { username, id: both.id } })
  await skills.delete({ params: { id: (await publishIn()).id } })
  await until('the event for the other', () => deleted.received().length === 3)
  server.clock.advance(60 * 60_000)
  await server.runJob('sending due webhooks')
  expect(both.received()).toHaveLength(3)
  expect((await webhooks.list({ params })).data.map((one) => one.id)).not.toContain(both.id)
})

test('only owners see, create and delete webhooks, at most ten', async () => {
  const [publisher, stranger] = [await server.agent('publisher'), await server.agent('stranger')]
  await acme.add(publisher, 'publisher')
  const body = { url: receiver.url('/x'), events: ['skill.published'] }
  for (const { apiKey: key } of [publisher, stranger]) {
    await expectError(ask(server, 'GET', path, { key }), 'FORBIDDEN')
    await expectError(ask(server, 'POST', path, { key, body }), 'FORBIDDEN')
    await expectError(ask(server, 'DELETE', `${path}/${nobody}`, { key }), 'FORBIDDEN')
  }
  const key = acme.owner.apiKey
  const none = `/api/v1/organizations/${unique('none')}/webhooks`
  for (const [method, at] of [
    ['GET', none],
    ['POST', none],
    ['DELETE', `${path}/${nobody}`],
  ] as const) {
    await expectError(
      ask(server, method, at, { key, ...(method === 'POST' && { body }) }),
      'NOT_FOUND',
    )
    await expectError(ask(server, method, at, method === 'POST' ? { body } : {}), 'UNAUTHORIZED')
  }
  await expectError(ask(server, 'DELETE', `${path}/${nobody}?x=1`, { key }), 'VALIDATION_ERROR')
  for (const wrong of [{ url: 'ftp://x.test' }, { events: [] }, { events: ['x'] }, { more: 1 }]) {
    const answer = ask(server, 'POST', path, { key, body: { ...body, ...wrong } })
    await expectError(answer, 'VALIDATION_ERROR')
  }
  const { data } = await webhooks.list({ params })
  for (let count = data.length; count < 10; count++) await hook(['skill.moved'])
  await expectError(ask(server, 'POST', path, { key, body }), 'CONFLICT')
  // Larger than any request may be.
  const big = { ...body, url: `https://x.test/${'x'.repeat(1_100_000)}` }
  await expectError(ask(server, 'POST', path, { key, body: big }), 'PAYLOAD_TOO_LARGE')
  const empty = await createOrganization(server)
  const at = { username: empty.username }
  const registry = empty.owner.client.registry
  const created = { url: body.url, events: ['skill.published' as const] }
  await registry.webhooks.create({ params: at, body: created })
  await registry.organizations.delete({ params: at })
  const left = server.ctx.db.read.selectFrom('organization_webhooks').selectAll()
  expect((await left.execute()).map((row) => row.organization_id)).toEqual(
    Array(10).fill((await organizations.get({ params })).data.id),
  )
})

test('in production, an address must be public when it is created and when it is sent to', async () => {
  const production = await startTestServer({ env: { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'off' } })
  const { username, owner } = await createOrganization(production)
  const at = `/${unique('private')}`
  const body = { url: receiver.url(at), events: ['skill.published'] }
  const where = `/api/v1/organizations/${username}/webhooks`
  const create = (url: string) =>
    ask(production, 'POST', where, { key: owner.apiKey, body: { ...body, url } })
  await expectError(create(receiver.url(at)), 'VALIDATION_ERROR')
  await expectError(create('https://127.0.0.1/x'), 'VALIDATION_ERROR')
  expect((await create('https://hooks.example.com/x')).status).toBe(201)
  await production.ctx.db.write((trx) =>
    trx
      .updateTable('organization_webhooks')
      .set({ url: receiver.url(at) })
      .execute(),
  )
  const { registry } = owner.client
  const skill = { name: 'Deploy', slug: unique('deploy'), owner: username, readme: 'x' }
  await registry.skills.publish({ body: skill })
  await eventually(async () => {
    const { data } = await registry.webhooks.list({ params: { username } })
    expect(data[0]?.lastDelivery?.error).toContain('https')
  })
  expect(receiver.deliveries(at)).toEqual([])
})
