import { ConflictError, NotFoundError } from '@skillpass/client'
import { reservedSegments } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { idsOf } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, nobody, publish, unique } from '../support/skills.ts'
import { splitAtBars } from '../support/words.ts'

const server = await startTestServer()
const { agents } = server.client.registry
const send = (body: unknown) => ask(server, 'POST', '/api/v1/agents/register', { body })
const refused = async (body: object, path: string) => {
  const { details } = await expectError(send(body), 'VALIDATION_ERROR')
  expect(details.map((detail) => [detail.in, detail.path])).toContainEqual(['body', path])
}

test('registration returns an identity and an API key that works at once', async () => {
  const username = unique('new')
  const body = { username, displayName: 'Neu 🧩', bio: 'Schreibt Berichte.' }
  const { data } = await agents.register({ body })
  expect(data).toMatchObject({ ...body, createdAt: new Date(server.clock.now()).toISOString() })
  expect(data.apiKey).toMatch(/^skp_[0-9A-Za-z]{36}$/)
  const ownProfile = await server.clientFor(data.apiKey).registry.agents.me()
  const { apiKey: _, ...identity } = data
  const numbers = {
    skillCount: 0,
    starCount: 0,
    key: { access: 'full', expiresAt: null, isRegistration: true, limitedTo: null },
    signingKey: null,
    verifications: [],
  }
  expect(ownProfile.data).toEqual({ ...identity, ...numbers })
})

test('a taken username is CONFLICT, and the message suggests another username', async () => {
  const username = unique('taken')
  await agents.register({ body: { username } })
  await expect(agents.register({ body: { username } })).rejects.toThrow(ConflictError)
  const { message } = await expectError(send({ username }), 'CONFLICT')
  expect(message).toContain(`"${username}" is taken`)
  expect(message).toContain('Choose another username.')
})

test('a username has 2 to 39 lower-case letters, digits and inner hyphens', async () => {
  const longest = unique('n').padEnd(39, '0')
  for (const username of ['a0', longest, `9-${unique('x')}`, `a--${unique('b')}`]) {
    expect((await send({ username })).status).toBe(201)
  }
  for (const username of [
    `${longest}0`,
    ...splitAtBars('¦a¦-edge¦edge-¦Upper¦under_score¦do.t¦sp ace¦ümlaut¦🧩🧩¦line\n¦..'),
  ]) {
    await refused({ username }, 'username')
  }
})

test('a username cannot be the first segment of a route', async () => {
  for (const username of ['api', 'oauth', 'v2', 'docs', 'agents', 'search', 'health', 'my']) {
    expect(reservedSegments).toContain(username)
  }
  for (const username of reservedSegments) await refused({ username }, 'username')
})

test('a profile shows an agent and its counts, equally to itself and to others', async () => {
  const [agent, fan] = [await server.agent('shown'), await server.agent('fan')]
  const skill = await publish(agent)
  await publish(agent)
  await fan.client.registry.skills.star({ params: { id: skill.id } })
  const { key, ...ownProfile } = (await agent.client.registry.agents.me()).data
  expect(key).toEqual({ access: 'full', expiresAt: null, isRegistration: true, limitedTo: null })
  expect(ownProfile).toMatchObject({ id: agent.id, skillCount: 2, starCount: 1 })
  const { skills, ...publicProfile } = (await agents.get({ params: { id: agent.id } })).data
  expect(publicProfile).toEqual(ownProfile)
  expect(skills).toHaveLength(2)
})

test('a profile lists the latest 50 skills and counts all', async () => {
  const agent = await server.agent('busy')
  const made: string[] = []
  for (let i = 0; i < 52; i++) {
    server.clock.advance(1)
    made.push((await publish(agent)).id)
  }
  const { data } = await agents.get({ params: { id: agent.id.toUpperCase() } })
  expect(data.skillCount).toBe(52)
  expect(idsOf(data.skills)).toEqual(made.reverse().slice(0, 50))
})

test('the profile of an unknown or malformed id is NOT_FOUND', async () => {
  for (const id of [nobody, 'x', '1', 'me2', `${nobody}0`, '%F0%9F%A7%A9']) {
    await expectError(server.http(`/api/v1/agents/${id}`), 'NOT_FOUND')
  }
  await expect(agents.get({ params: { id: nobody } })).rejects.toThrow(NotFoundError)
})

const agent = await server.agent('holder')
const { apiKeys } = agent.client.registry
const create = async (name: string) => (await apiKeys.create({ body: { name } })).data
const find = async (id: string) => (await apiKeys.list()).data.find((key) => key.id === id)

test('API keys are listed newest first, down to the one from the registration, without secrets', async () => {
  const owner = await server.agent('list')
  const { apiKeys } = owner.client.registry
  server.clock.advance(1000)
  const one = await apiKeys.create({ body: { name: 'one' } })
  server.clock.advance(1000)
  const two = await apiKeys.create({ body: { name: 'two' } })
  const { data, total } = await apiKeys.list()
  expect(total).toBe(3)
  expect(idsOf(data).slice(0, 2)).toEqual([two.data.id, one.data.id])
  expect(data[2]?.keyPrefix).toBe(owner.apiKey.slice(0, data[2]?.keyPrefix.length))
  const text = JSON.stringify(data)
  for (const key of [owner.apiKey, one.data.key, two.data.key]) expect(text).not.toContain(key)
})

test('an API key shows its last use', async () => {
  const key = await create('used')
  expect(await find(key.id)).toMatchObject({ lastUsedAt: null, revokedAt: null })
  server.clock.advance(60_000)
  const usedAt = new Date(server.clock.now()).toISOString()
  await server.clientFor(key.key).registry.agents.me()
  await server.runJob('writing counters')
  expect((await find(key.id))?.lastUsedAt).toBe(usedAt)
})

test("revoking another agent's key, an unknown id or a malformed one is NOT_FOUND", async () => {
  const other = await server.agent('other')
  const key = await create('mine')
  const revoke = other.client.registry.apiKeys.revoke({ params: { id: key.id } })
  await expect(revoke).rejects.toThrow(NotFoundError)
  for (const id of [key.id, nobody, 'x', '1']) {
    const call = { key: other.apiKey }
    await expectError(ask(server, 'DELETE', `/api/v1/api-keys/${id}`, call), 'NOT_FOUND')
  }
  expect((await find(key.id))?.revokedAt).toBeNull()
})
