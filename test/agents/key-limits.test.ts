import { expect, test } from 'vitest'
import { createOrganization } from '../support/organizations.ts'
import { startTestServer } from '../support/server.ts'
import { ask, expectError, publish, unique } from '../support/skills.ts'

const server = await startTestServer()
const owner = await server.agent('owner')
const { apiKeys, repositories } = owner.client.registry
const inside = (await repositories.create({ body: { name: 'inside' } })).data
const skillInside = await publish(owner, { repoId: inside.id })
const skillOutside = await publish(owner)
const repository = `${owner.username}/inside`
const create = async (body: object) =>
  (await apiKeys.create({ body: { name: 'ci', access: 'publish', ...body } })).data
const send = (key: string, method: string, path: string, body?: object) =>
  ask(server, method, `/api/v1${path}`, { key, ...(body && { body }) })
const publication = () => ({ slug: unique('s'), name: 'S', readme: '# S' })

test('a key limited to a repository changes skills of that repository only', async () => {
  const { key, limitedTo } = await create({ limitedTo: repository.toUpperCase() })
  expect(limitedTo).toBe(repository)
  const readme = `# ${unique('new')}`
  const update = (id: string) => send(key, 'PUT', `/skills/${id}`, { readme })
  expect((await update(skillInside.id)).status).toBe(200)
  const published = send(key, 'POST', '/skills', { ...publication(), repoId: inside.id })
  expect((await published).status).toBe(201)
  for (const outside of [
    update(skillOutside.id),
    send(key, 'DELETE', `/skills/${skillOutside.id}`),
    send(key, 'POST', '/skills', publication()),
    send(key, 'POST', '/repos', { name: unique('more') }),
    send(key, 'PUT', `/skills/${skillInside.id}`, { repoId: skillOutside.repo.id }),
    send(key, 'GET', `/repos/${skillOutside.repo.id}`),
  ]) {
    expect((await expectError(outside, 'FORBIDDEN')).message).toContain('limited to one repository')
  }
})

test('a limited key with full access neither changes its agent nor votes nor makes keys', async () => {
  const { key, access } = await create({ access: 'admin', limitedTo: owner.username })
  expect(access).toBe('full')
  for (const [method, path, body] of [
    ['POST', '/api-keys', { name: 'wider' }],
    ['GET', '/api-keys'],
    ['DELETE', '/api-keys'],
    ['POST', `/skills/${skillInside.id}/star`],
    ['GET', '/agents/me/verifications'],
  ] as const) {
    const { message } = await expectError(send(key, method, path, body), 'FORBIDDEN')
    expect(message).toContain('This API key is limited')
  }
})

test('a key with read access reads its profile and writes nothing', async () => {
  const { key } = await create({ access: 'read', limitedTo: repository })
  const { data } = await server.clientFor(key).registry.agents.me()
  expect(data.key).toMatchObject({ access: 'read', limitedTo: repository })
  await expectError(send(key, 'POST', '/skills', publication()), 'FORBIDDEN')
})

test('a key cannot be limited to what its agent has no role in', async () => {
  const stranger = await server.agent('stranger')
  const limited = (limitedTo: string) =>
    send(stranger.apiKey, 'POST', '/api-keys', { name: 'ci', limitedTo })
  for (const limit of [owner.username, 'nobody', repository, `${owner.username}/none`]) {
    await expectError(limited(limit), 'NOT_FOUND')
  }
  for (const limit of ['', 'a/b/c', 'acme/', 'ac me']) {
    await expectError(limited(limit), 'VALIDATION_ERROR')
  }
})

test('the list of keys shows the limit of each and the number of its uses', async () => {
  const { id, key } = await create({ limitedTo: repository })
  const show = async () => (await apiKeys.list()).data.find((one) => one.id === id)
  expect(await show()).toMatchObject({ limitedTo: repository, useCount: 0 })
  for (let i = 0; i < 3; i++) await server.clientFor(key).registry.agents.me()
  await server.runJob('writing counters')
  await server.clientFor(key).registry.agents.me()
  await server.runJob('writing counters')
  expect(await show()).toMatchObject({ useCount: 4 })
  expect(await show()).not.toHaveProperty('limitRepositoryId')
})

test('a key limited to an organization has the role of its agent there, and none elsewhere', async () => {
  const acme = await createOrganization(server, { defaultVisibility: 'private' })
  const other = await createOrganization(server, { defaultVisibility: 'private' })
  for (const organization of [acme, other]) await organization.add(owner, 'publisher')
  const { key } = await create({ limitedTo: acme.username })
  const publishIn = (organization: string, by = key) =>
    send(by, 'POST', '/skills', { ...publication(), owner: organization })
  const made = await (await publishIn(acme.username)).json()
  const hidden = await (await publishIn(other.username, owner.apiKey)).json()
  await expectError(publishIn(other.username), 'FORBIDDEN')
  await expectError(send(key, 'POST', '/skills', publication()), 'FORBIDDEN')
  await expectError(send(key, 'GET', `/organizations/${acme.username}/api-keys`), 'FORBIDDEN')
  const read = await create({ access: 'read', limitedTo: acme.username })
  for (const by of [key, read.key]) {
    expect((await send(by, 'GET', `/skills/${made.data.id}`)).status).toBe(200)
    await expectError(send(by, 'GET', `/skills/${hidden.data.id}`), 'NOT_FOUND')
    await expectError(
      send(by, 'PUT', `/skills/${hidden.data.id}`, { name: 'X' }),
      by === key ? 'NOT_FOUND' : 'FORBIDDEN',
    )
    const { repositories, organizations } = server.clientFor(by).registry
    const { data } = await repositories.list()
    expect(data.map((repository) => repository.owner)).toEqual([acme.username])
    const { data: shown } = await organizations.list()
    expect(shown.map(({ username }) => username)).toEqual([acme.username])
  }
})

test("an organization's owner sees and ends the keys that are limited to it", async () => {
  const acme = await createOrganization(server)
  await acme.add(owner, 'publisher')
  const { data: repo } = await acme.owner.client.registry.repositories.create({
    body: { name: 'tools', owner: acme.username },
  })
  const one = await create({ limitedTo: acme.username })
  const two = await create({ limitedTo: `${acme.username}/${repo.name}` })
  const { organizations } = acme.owner.client.registry
  const params = { username: acme.username }
  const { data } = await organizations.apiKeys({ params })
  expect(data.map(({ agent, limitedTo }) => [agent, limitedTo])).toEqual(
    expect.arrayContaining([one, two].map(({ limitedTo }) => [owner.username, limitedTo])),
  )
  expect(data).toHaveLength(2)
  const text = JSON.stringify(data)
  for (const { key } of [one, two]) expect(text).not.toContain(key)
  const path = `/organizations/${acme.username}/api-keys`
  await expectError(send(owner.apiKey, 'GET', path), 'FORBIDDEN')
  await expectError(send(owner.apiKey, 'DELETE', `${path}/${one.id}`), 'FORBIDDEN')
  const [unlimited] = (await apiKeys.list()).data.filter((each) => each.isRegistration)
  await expectError(send(acme.owner.apiKey, 'DELETE', `${path}/${unlimited?.id}`), 'NOT_FOUND')
  await organizations.revokeApiKey({ params: { ...params, id: one.id } })
  await expectError(send(one.key, 'GET', '/agents/me'), 'UNAUTHORIZED')
  expect((await organizations.apiKeys({ params })).data).toMatchObject([{ id: two.id }])
})

test('keys of a removed member that are limited to the organization end, and others lose access', async () => {
  const acme = await createOrganization(server, { defaultVisibility: 'private' })
  const member = await server.agent('member')
  await acme.add(member, 'publisher')
  const body = { name: 'ci', limitedTo: acme.username }
  const { data: limited } = await member.client.registry.apiKeys.create({ body })
  const published = { ...publication(), owner: acme.username }
  const { data: skill } = await (await send(limited.key, 'POST', '/skills', published)).json()
  await acme.owner.client.registry.organizations.removeMember({
    params: { username: acme.username, member: member.username },
  })
  await expectError(send(limited.key, 'GET', '/agents/me'), 'UNAUTHORIZED')
  for (const key of [limited.key, member.apiKey]) {
    await expectError(send(key, 'GET', `/skills/${skill.id}`), 'NOT_FOUND')
  }
})
