import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { expectError } from '../../support/contract.ts'
import { exchange, rawRequest } from '../../support/raw-http.ts'
import { startTestServer } from '../../support/server.ts'
import { eventually } from '../../support/waiting.ts'
import { splitAtBars } from '../../support/words.ts'

const server = await startTestServer()
const agent = await server.agent('raw')
const { data: skill } = await agent.client.registry.skills.publish({
  body: { name: 'Raw', slug: 'raw', readme: '# Raw' },
})
const auth = { Authorization: `Bearer ${agent.apiKey}` }
const json = { 'Content-Type': 'application/json' }
const mebibyte = 1024 * 1024

const publication = (headers: Record<string, string>, body?: string | Uint8Array) =>
  rawRequest({
    method: 'POST',
    target: '/api/v1/skills',
    headers: { ...auth, ...headers },
    ...(body !== undefined && { body }),
  })

/**
 * Sends a body until a response arrives, because a pause of the machine may exceed the server's
 * timeout.
 */
const sendBody = (...pieces: (string | Uint8Array)[]) =>
  eventually(async () => {
    const answered = await exchange(server.url, pieces)
    expect(answered.first.status).not.toBe(0)
    return answered
  })

const publish = (body: string | Uint8Array, headers: Record<string, string> = json) =>
  sendBody(publication(headers, body))

const get = (target: string, headers: Record<string, string> = {}) =>
  exchange(server.url, [rawRequest({ target, headers })])

const raw = (...lines: string[]) => exchange(server.url, [lines.join('\r\n')])

const valid = JSON.stringify({ name: 'Fine', slug: 'fine' })

const stillServes = async () => {
  const { status } = (await get('/api/v1/health')).first
  expect(status).toBe(200)
}

const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
const bodies: Record<string, string | Uint8Array> = {
  'cut off': '{"name":"a"',
  empty: '',
  'NaN, which JSON does not have': '{"name":NaN,"slug":"a"}',
  'nested 100,000 deep': nested,
  'with bytes that are no UTF-8 in place of quotes': Buffer.from([0x7b, 0xff, 0xfe, 0x7d]),
  'with an object where text belongs': '{"name":{"toString":"x"},"slug":"object"}',
  'with 100,000 unknown fields and no name': JSON.stringify(
    Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`field${i}`, 1])),
  ),
}
test.each(Object.entries(bodies))('a request body is refused with 400: %s', async (what, body) => {
  expectError((await publish(body)).first, 400, what)
})

test('a Content-Length of 10 GB is refused before the body arrives', async () => {
  const { first } = await publish('', { ...json, 'Content-Length': '10000000000' })
  expectError(first, 413, 'a declared length')
})

test('a chunked body without an end is refused once it is too long', async () => {
  const head = publication({ ...json, 'Transfer-Encoding': 'chunked' })
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
  const { first } = await sendBody(head, ...Array<string>(40).fill(chunk))
  expectError(first, 413, 'an endless body')
  await stillServes()
})

test('a gzip bomb is refused with 413', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * mebibyte, ' '))
  expectError((await publish(bomb, { ...json, 'Content-Encoding': 'gzip' })).first, 413, 'bomb')
})

test.each([
  ['gzip', 'no gzip at all', Buffer.from('garbage')],
  ['gzip', 'cut off', gzipSync(valid).subarray(0, 20)],
  ['zstd', 'a coding that is not read', Buffer.from(valid)],
  ['gzip, gzip', 'packed twice', gzipSync(gzipSync(valid))],
])('a body with Content-Encoding: %s is refused if it is %s', async (coding, what, body) => {
  const { first } = await publish(body, { ...json, 'Content-Encoding': coding })
  expectError(first, 400, what)
})

const { owner } = skill.repo
const addresses: Record<string, [target: string, status: number]> = {
  'a lone percent sign': ['/api/v1/skills/%', 400],
  'an encoding that is no UTF-8': ['/a/b/%ff', 400],
  'a surrogate in UTF-8': ['/a/b/%ed%a0%80', 400],
  'a NUL in an id': ['/api/v1/skills/%00', 404],
  'an encoded slash in the owner': [`/a%2fb/skills/raw`, 404],
  'encoded dots': [`/${owner}/%2e%2e/raw`, 404],
  'two slashes': ['//api//v1//health', 404],
  'a way up': ['/api/v1/../../etc/passwd', 404],
  'a file of the server, encoded': ['/docs/%2e%2e%2f%2e%2e%2fpackage.json', 404],
  'a file beside the assets': ['/assets/..%2f..%2fapp.ts', 404],
  'line breaks': ['/%0d%0aSet-Cookie:%20a=b/x/y', 404],
  'a segment of 90 KB': [`/${'a'.repeat(90_000)}/b/c`, 404],
  '10,000 segments': [`/${'a/'.repeat(10_000)}`, 404],
  'a query of 90 KB': [`/api/v1/skills/search?q=${'a'.repeat(90_000)}`, 400],
  'a query given twice': ['/api/v1/skills/search?q=a&q=b', 400],
  'a query as an object': ['/api/v1/skills/search?q[a]=b&q[c]=d', 200],
  '10,000 query parameters': [`/api/v1/skills/search?${'a=1&'.repeat(10_000)}`, 200],
}
test.each(Object.entries(addresses))(
  'a malformed address returns the declared status without a stack trace: %s',
  async (what, [target, status]) => {
    const { first } = await get(target, { Accept: '*/*' })
    if (status === 200) expect(first.status, first.body.slice(0, 200)).toBe(200)
    else expectError(first, status, what)
    expect(first.headers.has('set-cookie')).toBe(false)
    const page = (await get(target, { Accept: 'text/html' })).first
    expect(page.status).toBe(status)
    expect(page.body).not.toMatch(/node_modules|\bat .*:\d+:\d+/)
  },
)

const host = 'Host: skillpass.test'

const health = ['GET /api/v1/health HTTP/1.1', host]
const post = ['POST /api/v1/skills HTTP/1.1', host]
const chunked = 'Transfer-Encoding: chunked'
const requests: Record<string, string[]> = {
  'no HTTP at all': ['hello'],
  'two lengths that differ': [...post, 'Content-Length: 5', 'Content-Length: 6', '', 'hello'],
  'a length and chunks (CL.TE)': [...post, 'Content-Length: 6', chunked, '', '0', '', ...health],
  'chunks twice (TE.TE)': [...post, chunked, 'Transfer-Encoding: identity', '', '0'],
  'a negative length': [...health, 'Content-Length: -1'],
  'a header without a name': [...health, ': value'],
  'a header that continues in the next line': [...health, 'X-A: b', ' c: d', 'e f'],
  'a NUL in a header': [...health, 'X-A: a\u0000b'],
  'a method that does not exist': ['FETCH / HTTP/1.1', host],
  'headers of 200 KB': [...health, `X-A: ${'a'.repeat(200_000)}`],
  'no Host': ['GET /api/v1/health HTTP/1.1'],
}
test.each(Object.entries(requests))('status 400 ends the connection: %s', async (what, lines) => {
  const { responses, first, closed } = await raw(...lines, '', '')
  expectError(first, 400, what)
  expect(responses.length, 'a smuggled request must not get a response').toBe(1)
  expect(closed, 'the connection must be closed').toBe(true)
  await stillServes()
})

const spoofed = {
  Host: 'evil.example',
  'X-Forwarded-Host': 'evil.example',
  'X-Forwarded-Proto': 'evil',
  'X-Forwarded-For': 'evil.example',
  'X-Forwarded-Prefix': '/evil.example',
  'X-Original-URL': '/evil.example',
  'X-Rewrite-URL': '/evil.example',
  Forwarded: 'host=evil.example;proto=https',
  Referer: 'http://evil.example/',
  Origin: 'http://evil.example',
  'User-Agent': 'evil.example',
}

test('no response contains a host that the client sent, because addresses come from BASE_URL', async () => {
  for (const target of splitAtBars(
    `/api/v1/skills/${skill.id}¦/api/v1/skills/search¦/api/v1/skills/trending¦/api/v1/agents/${agent.id}`,
    '/api/v1/skills/resolve?task=raw&threshold=0¦/openapi.json¦/docs/¦/docs¦/¦/search?q=raw',
    `/${skill.repo.owner}/skills/raw¦/agents/${agent.username}¦/nothing/here/at-all`,
  )) {
    for (const Accept of ['*/*', 'text/html']) {
      const { first } = await get(target, { ...spoofed, Accept })
      expect(first.status, target).toBeGreaterThanOrEqual(200)
      const responseText = JSON.stringify([...first.headers, first.body])
      expect(responseText.includes('evil'), target).toBe(false)
    }
  }
  const { first } = await get(`/api/v1/skills/${skill.id}`, spoofed)
  const { data } = JSON.parse(first.body) as { data: { fetchUrl: string } }
  expect(data.fetchUrl).toBe(`http://skillpass.test/${skill.repo.owner}/skills/raw?format=md`)
})

test('line breaks in ids, names and addresses add no response header', async () => {
  const breaks = '%0d%0aX-Injected:%20yes'
  for (const target of splitAtBars(
    `/api/v1/skills/${breaks}¦/${breaks}/${breaks}/${breaks}¦/agents/${breaks}¦/docs${breaks}`,
    `/docs/${breaks}/..¦/search?q=${breaks}¦/api/v1/skills/search?q=${breaks}`,
  )) {
    const { first } = await get(target)
    expect(first.status, target).toBeGreaterThanOrEqual(200)
    expect(first.headers.has('x-injected'), target).toBe(false)
  }
})

test('the registry refuses two Authorization headers with 401, even if one is valid', async () => {
  const [right, wrong] = [`Authorization: Bearer ${agent.apiKey}`, 'Authorization: Bearer garbage']
  for (const pair of [
    [wrong, right],
    [right, wrong],
    [right, right],
  ]) {
    const { first } = await raw('GET /api/v1/agents/me HTTP/1.1', host, ...pair, '', '')
    expectError(first, 401, 'two Authorization headers')
  }
})
