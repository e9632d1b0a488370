import { expect, test } from 'vitest'
import { startDemoServer } from '../support/demo-server.ts'
import { signIn } from '../support/people.ts'

/** Generated pages and JSON of more than 1 kB. */
const generated = [
  '/',
  '/docs/errors',
  '/api/v1/skills/search',
  '/.well-known/oauth-authorization-server',
]

/** Texts of more than 1 kB that are the same for everybody. */
const fixed = ['/openapi.json', '/assets/skillpass.css', '/docs/swagger-ui-bundle.js']

const server = await startDemoServer()
const get = (path: string, headers: Record<string, string>, method = 'GET') =>
  server.http(path, { method, headers })

test.each([...generated, ...fixed])(
  '%s is compressed with br or gzip only if the client accepts that',
  async (path) => {
    for (const encoding of ['br', 'gzip']) {
      const plain = await get(path, { 'accept-encoding': 'identity' })
      const short = await get(path, { 'accept-encoding': encoding })
      expect([plain.status, short.status]).toEqual([200, 200])
      expect(plain.headers.get('content-encoding')).toBeNull()
      expect(short.headers.get('content-encoding')).toBe(encoding)
      for (const { headers } of [plain, short]) {
        expect(headers.get('vary')).toMatch(/\baccept-encoding\b/i)
      }
      // Their times and request ids may differ, which have the same length.
      const text = await plain.text()
      expect(text.length).toBeGreaterThan(1024)
      expect((await short.text()).length).toBe(text.length)
    }
  },
)

test('an encoding that the client refuses with q=0 is not used', async () => {
  for (const path of ['/openapi.json', '/api/v1/skills/search']) {
    const answer = await get(path, { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect(answer.headers.get('content-encoding')).toBeNull()
  }
})

test('an answer that fits into a packet is not compressed', async () => {
  const answer = await get('/api/v1/health', { 'accept-encoding': 'br, gzip' })
  expect(answer.headers.get('content-encoding')).toBeNull()
  expect(Number(answer.headers.get('content-length'))).toBe((await answer.text()).length)
})

test.each(fixed)('%s has an ETag for each encoding and answers 304 to it', async (path) => {
  const tags = new Set<string>()
  for (const encoding of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding }
    const tag = (await get(path, headers)).headers.get('etag') ?? ''
    tags.add(tag)
    const again = await get(path, { ...headers, 'if-none-match': tag })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const head = await get(path, headers, 'HEAD')
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
  }
  expect(tags.size).toBe(3)
})

test('pages for a signed-in user are not compressed, so that their length reveals no secret', async () => {
  const credentials = { email: 'user@acme.test', password: server.password }
  const cookie = (await signIn(server, credentials)).cookie()
  for (const path of ['/', '/search?q=pdf', '/my/apps', '/console', '/docs/errors']) {
    const answer = await get(path, { 'accept-encoding': 'br, gzip', cookie, accept: 'text/html' })
    expect(`${path} ${answer.status}`).toBe(`${path} 200`)
    expect(answer.headers.get('content-encoding'), path).toBeNull()
  }
})
