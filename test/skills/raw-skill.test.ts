import { createHash } from 'node:crypto'
import { NotFoundError } from '@skillpass/client'
import { expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { addressOf, ask, expectError, fetchMarkdown, publish, unique } from '../support/skills.ts'

const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

const server = await startTestServer()
const agent = await server.agent('author')
const skill = await publish(agent, { slug: 'raw', readme: '# Raw\n' })
const address = addressOf(skill)
const update = (id: string, readme: string) =>
  agent.client.registry.skills.update({ params: { id }, body: { readme } })

test.each([
  ['CRLF line ends', '# a\r\n\r\nb\r\n'],
  ['a byte order mark', '\ufeff# a\n'],
  ['emoji and other scripts', '# 🧩 技能 مهارة नमस्ते\n'],
  ['control characters', 'a\u0001\u007f\u0085\u2028b'],
  ['text that is not in normal form', 'e\u0301 \u00e9 \ufb01'],
  ['no text at all', ''],
])('the markdown of a skill is returned byte for byte with %s', async (_, readme) => {
  const made = await publish(agent, { readme })
  const response = await fetchMarkdown(server, made)
  expect(response.status).toBe(200)
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.equals(Buffer.from(readme))).toBe(true)
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(response.headers.get('content-length')).toBe(String(bytes.length))
  expect(response.headers.get('etag')).toBe(`"${digestOf(readme)}"`)
  const { owner, name } = made.repo
  const params = { owner, repo: name, skill: made.slug }
  const query = { format: 'md' as const }
  expect(await server.client.registry.rawSkill.fetch({ params, query })).toBe(readme)
})

test('markdown has headers that keep browsers from running it', async () => {
  const { headers } = await fetchMarkdown(server, skill)
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-security-policy')).toMatch(/^sandbox(;|$)/)
  expect(headers.get('content-security-policy')).not.toMatch(/allow-/)
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('vary')).toMatch(/accept/i)
})

test.each([
  ['text/markdown', 'text/markdown'],
  ['*/*', 'text/markdown'],
  ['text/*', 'text/markdown'],
  ['text/markdown, text/html;q=0.9', 'text/markdown'],
  ['application/json', 'text/markdown'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/html'],
  ['text/markdown;q=0.5,text/html', 'text/html'],
  ['text/html', 'text/html'],
])('a request with Accept: %s gets %s', async (accept, type) => {
  const response = await ask(server, 'GET', address, { headers: { accept } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
  expect(response.headers.get('vary')).toMatch(/\baccept\b/i)
})

test('format=md or a version returns markdown for any Accept header, and other formats are refused', async () => {
  const headers = { accept: 'text/html' }
  for (const query of ['format=md', 'version=1']) {
    const response = await ask(server, 'GET', `${address}?${query}`, { headers })
    expect(await response.text()).toBe('# Raw\n')
  }
  for (const query of ['format=html', 'format=MD', 'format=md&format=md']) {
    await expectError(ask(server, 'GET', `${address}?${query}`), 'VALIDATION_ERROR')
  }
})

test('addresses of skills ignore case and are decoded', async () => {
  for (const path of [address.toUpperCase(), address.replace('raw', '%72aw'), `${address}/`]) {
    const response = await server.http(`${path}?format=md`)
    expect(await response.text()).toBe('# Raw\n')
  }
})

test('an address without a skill is NOT_FOUND', async () => {
  const owner = agent.username
  for (const path of [
    `/${owner}/skills/none`,
    `/${owner}/other/raw`,
    '/nobody/skills/raw',
    `/${owner}/skills/${'x'.repeat(101)}`,
    `/${owner}/skills/%F0%9F%A7%A9`,
    `/${owner}/..%2fskills/raw`,
  ]) {
    await expectError(server.http(`${path}?format=md`), 'NOT_FOUND')
  }
  const params = { owner, repo: 'skills', skill: 'none' }
  await expect(server.client.registry.rawSkill.fetch({ params })).rejects.toThrow(NotFoundError)
})

const tag = `"${skill.digest}"`
test.each([
  ['the ETag', tag],
  ['the weak ETag', `W/${tag}`],
  ['a list with the ETag', `"other", ${tag}, W/"more"`],
  ['a star', '*'],
])('a request with If-None-Match gets 304 if it is %s', async (_, value) => {
  const headers = { 'if-none-match': value }
  for (const query of ['?format=md', '']) {
    const response = await ask(server, 'GET', `${address}${query}`, { headers })
    expect(response.status).toBe(304)
    expect(response.headers.get('etag')).toBe(tag)
    expect(await response.text()).toBe('')
  }
})

test('a request with If-None-Match gets 200 if the tag differs or the readme has changed', async () => {
  const made = await publish(agent, { readme: 'one' })
  const conditional = (value: string) =>
    ask(server, 'GET', addressOf(made), { headers: { 'if-none-match': value } })
  for (const value of ['"other"', made.digest, 'x', `"${made.digest}x"`]) {
    expect((await conditional(value)).status).toBe(200)
  }
  await update(made.id, 'two')
  const after = await conditional(`"${made.digest}"`)
  expect(`${after.status} ${await after.text()}`).toBe('200 two')
})

const texts = ['one', 'two', 'three', 'one']
const made = await publish(agent, { readme: 'one' })
for (const text of texts.slice(1)) await update(made.id, text)
const get = async (query: string) => {
  const response = await server.http(`${addressOf(made)}?${query}`)
  return `${response.status} ${await response.text()}`
}

test('versions are fetched by number, digest or both, and never change', async () => {
  for (const [index, text] of texts.entries()) {
    expect(await get(`version=${index + 1}`)).toBe(`200 ${text}`)
    const both = `version=${index + 1}&digest=${digestOf(text)}`
    expect(await get(`format=md&${both}`)).toBe(`200 ${text}`)
    expect(await get(`digest=${digestOf(text)}`)).toBe(`200 ${text}`)
  }
  await agent.client.registry.skills.update({
    params: { id: made.id },
    body: { name: 'Another name', slug: made.slug },
  })
  expect(await get('version=2')).toBe('200 two')
})

test('an unknown version is NOT_FOUND', async () => {
  for (const query of [
    'version=5',
    'version=999999999999',
    `digest=${digestOf('never')}`,
    `version=2&digest=${digestOf('three')}`,
  ]) {
    await expectError(server.http(`${addressOf(made)}?${query}`), 'NOT_FOUND')
  }
})

test('versions are listed newest first, and only a new readme makes one', async () => {
  const { skills } = agent.client.registry
  const author = await publish(agent, { slug: unique('listed'), readme: 'ä🧩' })
  const first = new Date(server.clock.now()).toISOString()
  server.clock.advance(5000)
  const params = { id: author.id }
  const undecided = { withdrawn: null, deprecated: null, approval: null, approvalNote: null }
  const plain = {
    ...{ signature: null, verdict: 'clean', label: null, sourceCommit: null },
    ...undecided,
  }
  await skills.update({ params, body: { readme: 'ä🧩', name: 'Named' } })
  await skills.update({ params, body: { readme: '' } })
  expect(await skills.versions({ params })).toEqual({
    data: [
      {
        version: 2,
        digest: digestOf(''),
        size: 0,
        fileCount: 0,
        createdAt: new Date(server.clock.now()).toISOString(),
        ...plain,
        distTags: ['latest'],
      },
      {
        version: 1,
        digest: digestOf('ä🧩'),
        size: 6,
        fileCount: 0,
        createdAt: first,
        ...plain,
        distTags: [],
      },
    ],
    total: 2,
  })
})
