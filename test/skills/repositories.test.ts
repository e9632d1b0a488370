import { repositoriesPerAgent } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { idsOf } from '../support/registry-calls.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { ask, expectError, keysOf, nobody, publish, unique } from '../support/skills.ts'
import { words } from '../support/words.ts'

const server = await startTestServer()
const agent = await server.agent('keeper')
const other = await server.agent('other')
const make = async (name: string, by: TestAgent = agent) =>
  (await by.client.registry.repositories.create({ body: { name } })).data
const create = (body: unknown, key = agent.apiKey) =>
  ask(server, 'POST', '/api/v1/repos', { key, body })

test('an agent creates a repository, publishes in it and reads its counts', async () => {
  const made = await make('Drafts.v2')
  expect(keysOf(made)).toEqual(
    words('createdAt downloadCount id importedStars name owner skillCount starCount visibility'),
  )
  expect(made).toMatchObject({ owner: agent.username, name: 'Drafts.v2', skillCount: 0 })
  const skill = await publish(agent, { repoId: made.id })
  expect(skill.repo).toMatchObject({ owner: agent.username, name: 'Drafts.v2' })
  await other.client.registry.skills.star({ params: { id: skill.id } })
  const { data } = await agent.client.registry.repositories.get({ params: { id: made.id } })
  expect(data).toEqual({ ...made, skillCount: 1, starCount: 1 })
  await agent.client.registry.skills.delete({ params: { id: skill.id } })
  const after = await agent.client.registry.repositories.get({ params: { id: made.id } })
  expect(after.data).toEqual(made)
})

test("the list contains exactly the caller's repositories, newest first, in pages", async () => {
  const owner = await server.agent('lister')
  const list = (page: number, limit: number) =>
    owner.client.registry.repositories.list({ query: { page, limit } })
  expect(await list(1, 2)).toEqual({ data: [], total: 0, page: 1, limit: 2, hasMore: false })
  const { repo } = await publish(owner)
  const ids = [repo.id]
  for (const name of ['one', 'two', 'three']) {
    server.clock.advance(1000)
    ids.unshift((await make(name, owner)).id)
  }
  await make(unique('foreign'), other)
  const [first, second] = [await list(1, 3), await list(2, 3)]
  expect(idsOf([...first.data, ...second.data])).toEqual(ids)
  expect(first).toMatchObject({ total: 4, page: 1, limit: 3, hasMore: true })
  expect(second).toMatchObject({ total: 4, page: 2, limit: 3, hasMore: false })
  const refused = await expectError(
    ask(server, 'GET', '/api/v1/repos?limit=51', { key: owner.apiKey }),
    'VALIDATION_ERROR',
  )
  expect(refused.message).toBe('limit must be at most 50')
})

test('a repository name has 1 to 100 letters, digits, dots, hyphens and underscores', async () => {
  for (const name of ['a', 'A_b.c-d', 'x'.repeat(100)]) {
    expect((await create({ name })).status).toBe(201)
  }
  const refusals: [body: unknown, message: string][] = [
    [{}, 'name is required'],
    [{ name: '' }, 'name must not be empty'],
    [{ name: 'x'.repeat(101) }, 'name must be at most 100 characters'],
    [{ name: 'a/b' }, 'name must be letters, digits, dots, hyphens and underscores'],
    [{ name: '..' }, 'name must not consist of dots only'],
    [{ name: 'Aux' }, 'name must not be a Windows device name such as "con" or "nul"'],
    [{ name: 'nul.v2' }, 'name must not be a Windows device name such as "con" or "nul"'],
    [{ name: 1 }, 'name must be a string, not a number'],
  ]
  for (const [body, message] of refusals) {
    const refused = await expectError(create(body), 'VALIDATION_ERROR')
    expect(refused.message).toBe(message)
    expect(refused.details.map(({ path }) => path)).toEqual(['name'])
  }
})

test("an unknown repository is NOT_FOUND, and another agent's is FORBIDDEN", async () => {
  const { id } = await make(unique('own'))
  const read = (which: string, key: string) => ask(server, 'GET', `/api/v1/repos/${which}`, { key })
  expect((await read(id.toUpperCase(), agent.apiKey)).status).toBe(200)
  await expectError(read(id, other.apiKey), 'FORBIDDEN')
  const { message } = await expectError(read(nobody, agent.apiKey), 'NOT_FOUND')
  expect(message).toContain(nobody)
  await expectError(read('none', agent.apiKey), 'NOT_FOUND')
})

test(`an agent may have ${repositoriesPerAgent} repositories, even if it requests more at once`, async () => {
  const owner = await server.agent('many')
  for (let i = 3; i < repositoriesPerAgent; i++) await make(`r${i}`, owner)
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => create({ name: `last${i}` }, owner.apiKey)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409])
  const { message } = await expectError(create({ name: 'more' }, owner.apiKey), 'CONFLICT')
  expect(message).toBe(
    `${owner.username} has 100 repositories, which is the limit. Use one of them.`,
  )
})
