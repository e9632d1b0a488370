import { createHash } from 'node:crypto'
import { createClient } from '@skillpass/client'
import { discoverySchema, LegacySkillsIndex, SkillsIndex } from '@skillpass/contract'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startTestServer, type TestServer } from '../support/server.ts'
import { addressOf, ask, expectError, publish, serverForTest, unique } from '../support/skills.ts'

const digestOf = (bytes: string | Buffer) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const v2 = '/.well-known/agent-skills/index.json'
const v1 = '/.well-known/skills/index.json'
const readV2 = async (server: TestServer, scope: string) =>
  SkillsIndex.parse(await (await server.http(scope + v2)).json())
const readV1 = async (server: TestServer, scope: string) =>
  LegacySkillsIndex.parse(await (await server.http(scope + v1)).json())

const server = await startTestServer()
const agent = await server.agent('author')
const readme = '---\nname: tides\ndescription: Reads tides.\n---\n# Tides\n'
const tides = await publish(agent, { slug: 'tides', readme, description: 'Other words.' })
await publish(agent, { slug: 'plain', readme: '# Plain\n', description: 'Plain.' })
await publish(agent, { slug: 'un--usable', readme: '# No\n' })
const { owner, name: repo } = tides.repo
const scopes = {
  owner: `/${owner}`,
  repository: `/${owner}/${repo}`,
  skill: `/${owner}/${repo}/tides`,
  'skill of a repository': `/${owner}/${repo}@tides`,
}

test.each(Object.entries(scopes))('the index of %s lists its skills', async (kind, scope) => {
  const all = kind === 'owner' || kind === 'repository'
  const index = await readV2(server, scope)
  expect(index.$schema).toBe(discoverySchema)
  const names = index.skills.map(({ name }) => name).sort()
  expect(names).toEqual(all ? ['plain', 'tides'] : ['tides'])
  expect(index.total).toBe(all ? 3 : 1)
  if (all) expect(index.note).toMatch(/^2 of 3 skills/)
  else expect(index.note).toBeUndefined()
  const legacy = await readV1(server, scope)
  expect(legacy.skills.map(({ name }) => name).sort()).toEqual(names)
  for (const { name, type, description, url, digest } of index.skills) {
    expect(type).toBe('skill-md')
    const file = await server.http(new URL(url, server.url + scope + v2).href)
    expect(file.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const bytes = Buffer.from(await file.arrayBuffer())
    expect(digestOf(bytes)).toBe(digest)
    expect(file.headers.get('etag')).toBe(`"${digest}"`)
    expect(bytes.toString()).toContain(`name: ${name}\n`)
    expect(description).toBe(name === 'tides' ? 'Reads tides.' : 'Plain.')
    const older = await server.http(`${scope}/.well-known/skills/${name}/SKILL.md`)
    expect(Buffer.from(await older.arrayBuffer()).equals(bytes)).toBe(true)
  }
})

test('a readme with a name and a description is returned byte for byte', async () => {
  const [entry] = (await readV2(server, scopes.skill)).skills
  expect(entry?.digest).toBe(digestOf(readme))
})

test.each([
  ['007', 'Yes', '007'],
  ['0x1f', '2024-01-01', '0x1f'],
  ['12e03', '0755', '12e03'],
  ['1_000', '=', '1-000'],
  ['on', '.inf', 'on'],
])('skill %s keeps its name and description in a reader of YAML 1.1', async (name, text, slug) => {
  const readme = `---\nname: ${name}\ndescription: ${text}\n---\n# T\n`
  const parsed = await agent.client.registry.skills.parse({ body: { readme, folder: '' } })
  expect(parsed.data).toMatchObject({ name, slug, description: text })
  const skill = await publish(agent, { ...parsed.data, slug, readme })
  expect(await (await server.http(`${addressOf(skill)}?format=md`)).text()).toBe(readme)
  const [entry] = (await readV2(server, addressOf(skill))).skills
  expect(entry?.description).toBe(text)
  const served = await (await server.http(entry?.url ?? '')).text()
  const [, yaml = ''] = served.split('---\n')
  expect(parse(yaml, { version: '1.1' })).toEqual({ name: slug, description: text })
})

test('an earlier version stays at its address after an update', async () => {
  const skill = await publish(agent, { readme: '# One\n', description: 'D.' })
  const [before] = (await readV2(server, addressOf(skill))).skills
  await agent.client.registry.skills.update({
    params: { id: skill.id },
    body: { readme: '# Two\n' },
  })
  const [after] = (await readV2(server, addressOf(skill))).skills
  expect(after?.digest).not.toBe(before?.digest)
  const old = await server.http(before?.url ?? '')
  expect(digestOf(await old.text())).toBe(before?.digest)
  expect(old.headers.get('skillpass-version')).toBe('1')
})

test('the former address of a moved skill redirects with 308 in both forms', async () => {
  const skill = await publish(agent, { readme: '# M\n' })
  const slug = unique('moved')
  await agent.client.registry.skills.update({ params: { id: skill.id }, body: { slug } })
  const [from, to] = [addressOf(skill), `/${owner}/${repo}/${slug}`]
  const at = `/${owner}/${repo}@${skill.slug}`
  for (const form of ['agent-skills', 'skills']) {
    const tail = `/.well-known/${form}`
    for (const scope of [from, at]) {
      const index = await server.http(`${scope}${tail}/index.json`)
      expect(index.status).toBe(308)
      expect(index.headers.get('location')).toBe(`${to}${tail}/index.json`)
      const file = await server.http(`${scope}${tail}/${skill.slug}/SKILL.md?version=1`)
      expect(file.status).toBe(308)
      expect(file.headers.get('location')).toBe(`${to}${tail}/${slug}/SKILL.md?version=1`)
    }
  }
})

test('a hidden skill is in no index and is refused at its own address', async () => {
  const skill = await publish(agent, { readme: '# H\n' })
  await server.moderate('skill hide', skill.id)
  const list = await readV2(server, scopes.repository)
  expect(list.skills.map(({ name }) => name)).not.toContain(skill.slug)
  for (const scope of [addressOf(skill), `/${owner}/${repo}@${skill.slug}`]) {
    await expectError(server.http(scope + v2), 'UNAVAILABLE_FOR_LEGAL_REASONS')
    await expectError(server.http(scope + v1), 'UNAVAILABLE_FOR_LEGAL_REASONS')
    await expectError(
      server.http(`${scope}/.well-known/skills/${skill.slug}/SKILL.md`),
      'UNAVAILABLE_FOR_LEGAL_REASONS',
    )
  }
})

test('installer addresses support HEAD and return 304 for a matching If-None-Match', async () => {
  const { skills } = await readV2(server, scopes.skill)
  const paths = [
    ...Object.values(scopes).flatMap((scope) => [scope + v2, scope + v1]),
    ...Object.values(scopes).map((scope) => `${scope}/.well-known/skills/tides/SKILL.md`),
    skills[0]?.url ?? '',
    v2,
    v1,
    '/.well-known/agent-skills/skillpass/SKILL.md',
    '/.well-known/skills/skillpass/SKILL.md',
  ]
  for (const path of paths) {
    const [get, head] = [await server.http(path), await ask(server, 'HEAD', path)]
    expect(`${path} ${get.status} ${head.status}`).toBe(`${path} 200 200`)
    expect(await head.text()).toBe('')
    const tag = get.headers.get('etag') ?? ''
    expect(head.headers.get('etag')).toBe(tag)
    expect(get.headers.get('access-control-allow-origin')).toBe('*')
    expect(get.headers.get('cache-control')).toBe('no-cache')
    expect(get.headers.get('x-content-type-options')).toBe('nosniff')
    const again = await server.http(path, { headers: { 'if-none-match': tag } })
    expect(again.status).toBe(304)
    const post = await ask(server, 'POST', path)
    expect(`${post.status} ${post.headers.get('allow')}`).toBe('405 GET, HEAD, OPTIONS')
  }
  const file = await server.http(skills[0]?.url ?? '')
  expect(file.headers.get('content-security-policy')).toMatch(/^sandbox(;|$)/)
})

test('the root index is empty for a client that just requested a missing skill', async () => {
  const count = async () => [
    (await readV2(server, '')).skills.length,
    (await readV1(server, '')).skills.length,
  ]
  for (const scope of ['/nobody', `/${owner}/${repo}/none`, `/${owner}/${repo}@none`]) {
    server.clock.advance(5_000)
    expect(await count()).toEqual([3, 3])
    await expectError(server.http(scope + v2), 'NOT_FOUND')
    expect(await count()).toEqual([0, 0])
  }
  server.clock.advance(5_000)
  await server.http(scopes.skill + v2)
  expect(await count()).toEqual([3, 3])
})

test('a refused client does not empty the root index for another program behind its address', async () => {
  const as = (agent: string) => ({ headers: { 'user-agent': agent } })
  const countFor = async (agent: string) =>
    (await (await server.http(v2, as(agent))).json()).skills.length
  await expectError(server.http(`/nobody${v2}`, as('node')), 'NOT_FOUND')
  expect([await countFor('node'), await countFor('curl')]).toEqual([0, 3])
  await expectError(server.http(`/nobody${v2}`, as('x'.repeat(60_000))), 'NOT_FOUND')
  for (const key of server.ctx.refusedClients.keys()) expect(key.length).toBeLessThan(300)
})

test('an unknown scope, skill, file or version is NOT_FOUND', async () => {
  const unknown = ['/nobody', `/${owner}/nothing`, `/${owner}/${repo}/none`, '/a/b@c', '/a%00/b/c']
  for (const scope of unknown) {
    await expectError(server.http(scope + v2), 'NOT_FOUND')
    await expectError(server.http(scope + v1), 'NOT_FOUND')
  }
  for (const scope of ['', ...Object.values(scopes)]) {
    for (const file of ['none/SKILL.md', 'tides/none.md', 'skillpass/none.md']) {
      for (const form of ['agent-skills', 'skills']) {
        const path = `${scope}/.well-known/${form}/${file}`
        await expectError(server.http(path, { redirect: 'follow' }), 'NOT_FOUND')
      }
    }
    await expectError(server.http(`${scope}/.well-known/other/index.json`), 'NOT_FOUND')
  }
  const file = '/.well-known/skills/tides/SKILL.md?version='
  for (const scope of Object.values(scopes)) {
    await expectError(server.http(`${scope}${file}9`), 'NOT_FOUND')
    await expectError(server.http(`${scope}${file}x`), 'VALIDATION_ERROR')
  }
})

test('a slug that installers cannot use is NOT_FOUND, and the message explains why', async () => {
  const { message } = await expectError(
    server.http(`/${owner}/${repo}/un--usable${v2}`),
    'NOT_FOUND',
  )
  expect(message).toContain('single inner hyphens')
})

test('a request for SKILL.md counts as a fetch, and a request for the index does not', async () => {
  const skill = await publish(agent, { readme: '# C\n' })
  const fetches = async () => {
    await server.runJob('writing counters')
    await server.runJob('reading changes')
    return (await server.client.registry.skills.stats({ params: { id: skill.id } })).fetchCount
  }
  const [entry] = (await readV2(server, addressOf(skill))).skills
  expect(await fetches()).toBe(0)
  await server.http(entry?.url ?? '')
  expect(await fetches()).toBe(1)
})

describe('the skills of the service', async () => {
  const server = await startTestServer()

  test('the service provides at most ten skills about itself, which contain its public URL', async () => {
    await publish(await server.agent('author'))
    const { skills } = await readV2(server, '')
    expect(skills.length).toBeLessThanOrEqual(10)
    expect((await readV1(server, '')).skills.map(({ name }) => name)).toEqual(
      skills.map(({ name }) => name),
    )
    for (const { url, digest } of skills) {
      const text = await (await server.http(new URL(url, server.url + v2).href)).text()
      expect(digestOf(text)).toBe(digest)
      expect(text).toContain('http://skillpass.test/api/v1/')
    }
  })

  test('find returns the full URL of the repository and no install count', async () => {
    const agent = await server.agent('finder')
    const slug = unique('lighthouse')
    await publish(agent, { slug, description: 'Finds lighthouses at night.' })
    await publish(agent, { slug: `${slug}--no`, description: 'Finds lighthouses at night.' })
    const find = async (query: string) =>
      (await server.http(`/api/search?${query}`)).json() as Promise<{ skills: unknown[] }>
    const source = `http://skillpass.test/${agent.username}/skills`
    const found = { id: `${source}/${slug}`, name: slug, source }
    const expected = { skills: [{ ...found, description: 'Finds lighthouses at night.' }] }
    expect(await find('q=lighthouses+night&limit=10')).toEqual(expected)
    expect(await find(`q=lighthouses&limit=20&owner=${agent.username}`)).toEqual(expected)
    expect(await find('q=lighthouses&owner=nobody')).toEqual({ skills: [] })
    await expectError(server.http('/api/search'), 'VALIDATION_ERROR')
  })
})

test('installers and search find a word while it is typed, exact matches first, and publishers', async () => {
  const server = await serverForTest()
  const { data: profile } = await server.client.registry.agents.register({
    body: { username: 'ada-l', displayName: 'Áda Lovelace & Söhne' },
  })
  const { username, apiKey } = profile
  const ada = { username, client: createClient({ baseUrl: server.url, apiKey }) }
  const { data: other } = await ada.client.registry.repositories.create({ body: { name: 'Other' } })
  await publish(ada, { slug: 'plant-garden', description: 'Grows tomatoes.' })
  await publish(ada, { slug: 'grow-gardenias', description: 'Grows shrubs.', repoId: other.id })
  const bob = await server.agent('bob')
  await publish(bob, { slug: 'catch-gar', description: 'Catches a gar.' })
  await publish(bob, { slug: 'honour-pioneers', description: `Writes about ${ada.username}.` })
  const installed = async (q: string) => {
    const path = `search?q=${encodeURIComponent(q)}`
    const { skills } = (await (await server.http(`/api/${path}`)).json()) as {
      skills: { name: string }[]
    }
    const clawhub = await server.http(`/clawhub/api/v1/${path}`)
    const { results } = (await clawhub.json()) as { results: { slug: string }[] }
    expect(results.map(({ slug }) => slug)).toEqual(skills.map(({ name }) => name))
    return skills.map(({ name }) => name)
  }
  const found = async (q: string) => {
    const { data } = await server.client.registry.skills.search({ query: { q } })
    return data.map(({ slug }) => slug)
  }
  const both = ['grow-gardenias', 'plant-garden']
  const [exact, ...longer] = await installed('gar')
  expect([exact, ...longer.sort()]).toEqual(['catch-gar', ...both])
  expect(await found('gar')).toEqual(['catch-gar'])
  for (const search of [installed, found]) expect((await search('gard')).sort()).toEqual(both)
  expect((await installed('tomatoes gard'))[0]).toBe('plant-garden')
  expect(await installed('plant g')).toEqual(['plant-garden'])
  expect(await installed('ada lovel')).toEqual(expect.arrayContaining(both))
  for (const search of [installed, found]) {
    const spelled = ada.username.replaceAll('-', ' ')
    for (const name of [ada.username, ada.username.toUpperCase(), `@${ada.username}`, spelled]) {
      const [first, ...rest] = await search(name)
      expect(first).toBe('honour-pioneers')
      expect(rest.sort()).toEqual(both)
    }
    for (const name of ['Áda Lovelace & Söhne', 'ada lovelace, sohne', 'ADA LOVELACE SÖHNE'])
      expect(await search(name)).toEqual(expect.arrayContaining(both))
    expect(await search(`${ada.username}/other`)).toContain('grow-gardenias')
    expect(await search(`${ada.username}/other`)).not.toContain('plant-garden')
  }
})

test('an index is limited, has each slug once, and states what it omits', async () => {
  const server = await serverForTest()
  const agent = await server.agent('many')
  const { repositories } = agent.client.registry
  const { data: other } = await repositories.create({ body: { name: 'other' } })
  for (let at = 0; at < 52; at++) await publish(agent, { slug: `s-${at}`, readme: `# ${at}\n` })
  const duplicate = await publish(agent, { slug: 's-1', readme: '# Duplicate\n', repoId: other.id })
  const index = await readV2(server, `/${agent.username}`)
  expect(index.skills).toHaveLength(50)
  expect(new Set(index.skills.map(({ name }) => name)).size).toBe(50)
  expect(index.total).toBe(53)
  expect(index.note).toContain(`npx skills add http://skillpass.test/${agent.username}/REPO/SKILL`)
  expect((await readV2(server, addressOf(duplicate))).skills).toHaveLength(1)
})
