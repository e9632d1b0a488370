import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import {
  addressOf,
  expectError,
  publish,
  type Skill,
  serverForTest,
  unique,
} from '../support/skills.ts'

const server = await startTestServer()
const agent = await server.agent('writer')
const evil = '](http://evil.test) <script>alert(1)</script> **b** `c` \n# Heading'
const skill = await publish(agent, {
  slug: 'tide-tables',
  name: 'Tide tables',
  description: evil.replaceAll('\n', ' '),
  readme: '# Tides\n',
})
const { owner, name: repo } = skill.repo

const html = { headers: { accept: 'text/html' } }
const get = (path: string, headers: Record<string, string> = {}) => server.http(path, { headers })

const pages = [
  ...['/', '/search', '/search?q=tide&sort=recent', '/resolve', '/resolve?task=tide+tables'],
  ...[`/agents/${owner}`, `/${owner}`, `/${owner}/${repo}`, `/${owner}/${repo}/tide-tables`],
  ...['/docs', '/docs/guide', '/docs/mcp', '/docs/testing', '/docs/errors', '/docs/scopes'],
  ...['/docs/lint', '/docs/lint/pipe-to-shell'],
]

test.each(pages)('%s links its markdown, which Accept: text/markdown selects too', async (path) => {
  const page = await (await server.http(path, html)).text()
  const [, href = ''] = /rel="alternate" type="text\/markdown" href="([^"]*)"/.exec(page) ?? []
  const address = new URL(href.replaceAll('&amp;', '&'), server.url)
  const response = await get(address.pathname + address.search)
  expect(`${href} ${response.status}`).toBe(`${href} 200`)
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toMatch(/^sandbox(;|$)/)
  const text = await response.text()
  expect(text).toMatch(/^# /)
  if (path.startsWith('/docs/')) {
    expect(page).toContain(`<h1>${/^# (.+)/.exec(text)?.[1]}</h1>`)
  }
  const asked = await get(path, { accept: 'text/markdown' })
  expect(await asked.text()).toBe(text)
  expect(asked.headers.get('vary')).toMatch(/accept(?!-)/i)
  expect((await server.http(path, html)).headers.get('vary')).toMatch(/accept(?!-)/i)
})

test.each(['*/*', 'text/html, text/markdown;q=0.9'])('Accept: %s selects HTML', async (accept) => {
  const { headers } = await get(`/${owner}`, { accept })
  expect(headers.get('content-type')).toContain('text/html')
})

test('markdown lists link to the markdown of each skill and to the next page', async () => {
  const text = await (await get(`/${owner}.md`)).text()
  expect(text).toContain(
    `[Tide tables](http://skillpass.test/${owner}/${repo}/tide-tables?format=md)`,
  )
  for (let at = 0; at < 20; at++) await publish(agent, { description: 'More.' })
  const long = await (await get(`/${owner}/${repo}.md`)).text()
  expect(long).toContain(`[Next page](http://skillpass.test/${owner}/${repo}.md?page=2)`)
  expect(await (await get(`/${owner}/${repo}.md?page=2`)).text()).toContain('21 to 21')
})

test('descriptions in markdown lists are escaped', async () => {
  const text = await (await get(`/search.md?q=tide`)).text()
  const line = text.split('\n').find((one) => one.startsWith('- [Tide tables]')) ?? ''
  expect(line).toContain('\\](http')
  expect(line).not.toMatch(/(?<!\\)<script/)
})

test('the address of a skill with .md returns its readme, as ?format=md does', async () => {
  const path = `/${owner}/${repo}/tide-tables`
  const [plain, md] = [await get(`${path}?format=md`), await get(`${path}.md`)]
  expect(await md.text()).toBe('# Tides\n')
  expect(md.headers.get('etag')).toBe(plain.headers.get('etag'))
  await expectError(get(`/${owner}/${repo}/none.md`), 'NOT_FOUND')
  await expectError(get(`${path}.md?version=9`), 'NOT_FOUND')
})

test('the markdown of a missing page returns 404', async () => {
  for (const path of ['/nobody.md', '/nobody/none.md', '/agents/nobody.md', '/docs/lint/none.md']) {
    await expectError(get(path), 'NOT_FOUND')
  }
})

test('a repository whose name ends with .md has its page at its address', async () => {
  const { data } = await agent.client.registry.repositories.create({ body: { name: 'agents.md' } })
  await publish(agent, { repoId: data.id })
  const page = await server.http(`/${owner}/agents.md`, html)
  expect(page.headers.get('content-type')).toContain('text/html')
  const text = await (await get(`/${owner}/agents.md.md`)).text()
  expect(text).toContain(`# ${owner}/agents.md`)
})

test('/llms.txt names the public address, and all its links work', async () => {
  const response = await get('/llms.txt')
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await response.text()
  expect(text).toMatch(/^# Skillpass\n\n> /)
  const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)\): /gm)].map(([, url = '']) => url)
  expect(links.length).toBeGreaterThan(5)
  for (const link of links) {
    const { origin, pathname } = new URL(link)
    expect(['http://skillpass.test', server.ctx.config.authUrl]).toContain(origin)
    expect(`${pathname} ${(await get(pathname)).status}`).toBe(`${pathname} 200`)
  }
})

test('links of markdown lead from /llms.txt and /index.md to each skill, and never to a dead end', async () => {
  const walked = await serverForTest()
  const names = ['A [b](http://evil.test/c)', 'Näme (1) % ? # &', '](/x) `y`', '../..', '𝒳 <a>']
  const skills: Skill[] = []
  for (const owner of ['one', 'two-2']) {
    const author = await walked.agent(owner)
    const repos: (string | undefined)[] = [undefined]
    for (const repo of ['notes', 'notes.md', 'a.b_c']) {
      const { data } = await author.client.registry.repositories.create({ body: { name: repo } })
      repos.push(data.id)
    }
    for (let at = 0; at < 48; at++) {
      const name = names[at % names.length] ?? ''
      const repoId = repos[at % 16 < 12 ? 1 : at % 4]
      skills.push(await publish(author, { name, description: name, ...(repoId && { repoId }) }))
    }
    const [moved] = skills.slice(-1)
    const body = { slug: unique('moved') }
    const params = { id: moved?.id ?? '' }
    skills.splice(-1, 1, (await author.client.registry.skills.update({ params, body })).data)
  }
  const hidden = skills.shift()
  await walked.moderate('skill hide', hidden?.id ?? '', 'Spam')
  const owner = skills[0]?.repo.owner
  const starts = ['/llms.txt', '/index.md', '/.md', '/docs.md', `/agents/${owner}.md`]
  for (const source of ['', '/a.b_c', '/notes.md']) starts.push(`/${owner}${source}.md`)
  const linksOf = async (path: string) => {
    const response = await walked.http(path)
    const type = response.headers.get('content-type')
    if (response.status === 200 && type?.startsWith('application/json')) return []
    const expected = path === '/llms.txt' ? 'text/plain' : 'text/markdown'
    expect(`${path} ${response.status} ${type}`).toBe(`${path} 200 ${expected}; charset=utf-8`)
    const prose = (await response.text()).replace(/^```.*?^```/gms, '')
    const [, ...links] = prose.split(/(?<!\\)\]\(/)
    // Links to a part of the same page are no way to another.
    const away = links.filter((link) => !link.startsWith('#'))
    return away.map((link) => {
      const { origin, pathname, search } = new URL(link.split(')')[0] ?? '', walked.url + path)
      expect([walked.url, 'http://skillpass.test', walked.ctx.config.authUrl]).toContain(origin)
      return pathname + search
    })
  }
  for (const start of starts) {
    const isStart = start === '/llms.txt' || start === '/index.md'
    const reached = new Set([start])
    for (const path of reached) {
      // Skills link to anything, and the console is for people.
      if (path.includes('format=md') || path === '/console') continue
      const links = await linksOf(path)
      expect(links).not.toContain(path)
      for (const link of links) reached.add(link)
    }
    const addresses = skills.map((one) => `${addressOf(one)}?format=md`)
    if (isStart) expect(addresses.filter((one) => !reached.has(one))).toEqual([])
    expect([...reached].filter((one) => one.includes(hidden?.slug ?? '-'))).toEqual([])
  }
  const accept = { headers: { accept: 'text/markdown' } }
  const notes = await (await walked.http(`/${owner}/notes`, accept)).text()
  expect(notes).toContain(`(http://skillpass.test/search.md?owner=${owner}&repo=notes&page=2)`)
  for (const skill of skills.slice(0, 12)) await linksOf(`${addressOf(skill)}.md`)
})

test('/SKILL.md returns the skill of the service, and /skill.md is not found', async () => {
  const response = await get('/SKILL.md')
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(await response.text()).toMatch(/^---\nname: skillpass\n/)
  await expectError(get('/skill.md'), 'NOT_FOUND')
  await expectError(get(`/${unique('skill')}.md`), 'NOT_FOUND')
})

test('every markdown page counts against the rate limit of reads', async () => {
  const limited = await serverForTest({ env: { RATE_LIMIT_READS_PER_MINUTE: '1' } })
  await limited.http('/search.md')
  for (const path of ['/search.md', '/docs/lint.md', '/a.md', '/a/b/c.md']) {
    await expectError(limited.http(path), 'RATE_LIMITED')
  }
})
