import { expect, test } from 'vitest'
import { startTestServer, type TestAgent } from '../support/server.ts'
import {
  addressOf,
  ask,
  expectError,
  fetchMarkdown,
  nobody,
  publish,
  type Skill,
  serverForTest,
  unique,
} from '../support/skills.ts'

const day = 86_400_000

const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
const { skills } = server.client.registry
const author = await server.agent('author')
const { data: other } = await author.client.registry.repositories.create({
  body: { name: 'other' },
})
type Changes = NonNullable<
  Parameters<TestAgent['client']['registry']['skills']['update']>[0]['body']
>
const put = (id: string, body: unknown, key = author.apiKey) =>
  ask(server, 'PUT', `/api/v1/skills/${id}`, { key, body })
const move = async (id: string, body: Changes) =>
  (await author.client.registry.skills.update({ params: { id }, body })).data
const manual = (path: string, init: RequestInit = {}) =>
  server.http(path, { redirect: 'manual', ...init })

/** Expects every form of a request to the former address to redirect with 308 to the new one. */
async function leadsTo(from: Pick<Skill, 'slug' | 'repo'>, to: Pick<Skill, 'slug' | 'repo'>) {
  const [former, target] = [addressOf(from), addressOf(to)]
  const html = { headers: { accept: 'text/html' } }
  const requests: [query: string, init?: RequestInit][] = [
    ['?format=md'],
    ['?format=md', { method: 'HEAD' }],
    ['?version=1&format=md&x=%20a'],
    ['', html],
    ['?tab=versions', html],
    ['', { ...html, method: 'HEAD' }],
    ['/view/references/a.md', html],
  ]
  for (const [query, init] of requests) {
    const { status, headers } = await manual(former + query, init)
    expect(`${status} ${headers.get('location')}`).toBe(`308 ${target}${query}`)
    expect(headers.get('cache-control')).toContain('no-c')
    expect(headers.get('vary')).toContain('Accept')
  }
}

test('an update of repoId moves a skill, and its former address redirects with 308', async () => {
  const readme = `# ${unique('moved')}\n`
  const skill = await publish(author, { readme, tags: ['kept'] })
  const moved = await move(skill.id, { repoId: other.id })
  expect(moved.repo).toMatchObject({ id: other.id, name: 'other' })
  expect(moved).toMatchObject({ id: skill.id, slug: skill.slug, version: 1, tags: ['kept'] })
  await leadsTo(skill, moved)
  expect(await (await fetchMarkdown(server, moved)).text()).toBe(readme)
  expect((await skills.get({ params: { id: skill.id } })).data).toEqual(moved)
  const upper = { ...skill, slug: skill.slug.toUpperCase() }
  expect((await manual(addressOf(upper))).status).toBe(308)
})

test('an update of the slug, with or without repoId, makes the former address redirect with 308', async () => {
  const skill = await publish(author)
  const renamed = await move(skill.id, { slug: unique('renamed') })
  await leadsTo(skill, renamed)
  const both = await move(skill.id, { slug: unique('both'), repoId: other.id })
  await leadsTo(skill, both)
  await leadsTo(renamed, both)
})

test('the stars and fetches of a moved skill count for its new repository', async () => {
  const owner = await server.agent('counted')
  const { repositories } = owner.client.registry
  const stays = await publish(owner)
  const skill = await publish(owner)
  const to = (await repositories.create({ body: { name: 'to' } })).data
  const [fan, both] = [await server.agent('fan'), await server.agent('both')]
  for (const agent of [fan, both]) {
    await agent.client.registry.skills.star({ params: { id: skill.id } })
  }
  await both.client.registry.skills.star({ params: { id: stays.id } })
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  await ask(server, 'GET', addressOf(skill), { headers })
  await server.runJob('writing counters')
  const numbers = async () => {
    const { data } = await repositories.list()
    return Object.fromEntries(
      data.map((repo) => [repo.name, [repo.skillCount, repo.starCount, repo.downloadCount]]),
    )
  }
  expect(await numbers()).toEqual({ skills: [2, 2, 1], to: [0, 0, 0] })
  const body = { repoId: to.id }
  await owner.client.registry.skills.update({ params: { id: skill.id }, body })
  expect(await numbers()).toEqual({ skills: [1, 1, 0], to: [1, 2, 1] })
  const read = async (id: string) => (await skills.get({ params: { id } })).data.repo
  expect(await read(skill.id)).toMatchObject({ starCount: 2, downloadCount: 1 })
  expect(await read(stays.id)).toMatchObject({ starCount: 1, downloadCount: 0 })
  await fan.client.registry.skills.unstar({ params: { id: skill.id } })
  expect(await numbers()).toEqual({ skills: [1, 1, 0], to: [1, 1, 1] })
})

test('a former address redirects with 308 for 30 days and is free afterwards', async () => {
  const late = await serverForTest()
  const agent = await late.agent('late')
  const { id } = (await agent.client.registry.repositories.create({ body: { name: 'b' } })).data
  const skill = await publish(agent)
  await agent.client.registry.skills.update({ params: { id: skill.id }, body: { repoId: id } })
  const read = () => late.http(`${addressOf(skill)}?format=md`, { redirect: 'manual' })
  late.clock.advance(30 * day - 1)
  await late.runJob('removing old records')
  expect((await read()).status).toBe(308)
  late.clock.advance(1)
  await expectError(read(), 'NOT_FOUND')
  late.clock.advance(1)
  await late.runJob('removing old records')
  const rows = await late.ctx.db.read.selectFrom('moved_skills').selectAll().execute()
  expect(rows).toEqual([])
})

test('only the owner may publish at a former address, and the new skill replaces the redirect', async () => {
  const skill = await publish(author)
  const moved = await move(skill.id, { repoId: other.id })
  const stranger = await server.agent('stranger')
  const body = { name: 'x', slug: skill.slug, repoId: skill.repo.id }
  const foreign = ask(server, 'POST', '/api/v1/skills', { key: stranger.apiKey, body })
  await expectError(foreign, 'FORBIDDEN')
  await leadsTo(skill, moved)
  const next = await publish(author, { slug: skill.slug, readme: 'next' })
  expect(await (await fetchMarkdown(server, skill)).text()).toBe('next')
  // Readers of the deleted skill are not redirected to the moved skill.
  await author.client.registry.skills.delete({ params: { id: next.id } })
  await expectError(fetchMarkdown(server, skill), 'NOT_FOUND')
})

test('the former address of a deleted skill is NOT_FOUND', async () => {
  const skill = await publish(author)
  await move(skill.id, { repoId: other.id })
  await author.client.registry.skills.delete({ params: { id: skill.id } })
  const { message } = await expectError(fetchMarkdown(server, skill), 'NOT_FOUND')
  expect(message).toContain(addressOf(skill).slice(1))
  const page = await manual(addressOf(skill), { headers: { accept: 'text/html' } })
  expect(page.status).toBe(404)
})

test("a move to a taken slug, another agent's repository or an unknown one is refused", async () => {
  const skill = await publish(author)
  await publish(author, { slug: skill.slug, repoId: other.id })
  const { message } = await expectError(put(skill.id, { repoId: other.id }), 'CONFLICT')
  expect(message).toBe(`There is already a skill at ${author.username}/other/${skill.slug}.`)
  const stranger = await server.agent('foreign')
  const { repo } = await publish(stranger)
  await expectError(put(skill.id, { repoId: repo.id }), 'FORBIDDEN')
  await expectError(put(skill.id, { repoId: other.id }, stranger.apiKey), 'FORBIDDEN')
  await expectError(put(skill.id, { repoId: nobody }), 'NOT_FOUND')
  await expectError(put(skill.id, { repoId: 'x' }), 'VALIDATION_ERROR')
  const { data } = await skills.get({ params: { id: skill.id } })
  expect(addressOf(data)).toBe(addressOf(skill))
})
