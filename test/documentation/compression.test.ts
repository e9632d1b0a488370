import { expect, test } from 'vitest'
import { startDemoServer } from '../support/demo-server.ts'
import { signIn } from '../support/people.ts'

/** Generated pages and JSON responses of more than 1 kB. */
const generated = [
  '/',
  '/docs/errors',
  '/api/v1/skills/search',
  '/.well-known/oauth-authorization-server',
]

/** Static files of more than 1 kB. */
const fixed = ['/openapi.json', '/assets/skillpass.css', '/docs/swagger-ui-bundle.js']

const server = await startDemoServer()
const get = (path: string, headers: Record<string, string>, method = 'GET') =>
  server.http(path, { method, headers })

test.each([...generated, ...fixed])('%s is compressed as the client accepts', async (path) => {
  for (const encoding of ['br', 'gzip']) {
    const uncompressed = await get(path, { 'accept-encoding': 'identity' })
    const compressed = await get(path, { 'accept-encoding': encoding })
    expect([uncompressed.status, compressed.status]).toEqual([200, 200])
    expect(uncompressed.headers.get('content-encoding')).toBeNull()
    expect(compressed.headers.get('content-encoding')).toBe(encoding)
    for (const { headers } of [uncompressed, compressed]) {
      expect(headers.get('vary')).toMatch(/\baccept-encoding\b/i)
    }
    // Times and request ids may differ but have a fixed length.
    const text = await uncompressed.text()
    expect(text.length).toBeGreaterThan(1024)
    expect((await compressed.text()).length).toBe(text.length)
  }
})

test('an encoding with q=0 in Accept-Encoding is not used', async () => {
  for (const path of ['/openapi.json', '/api/v1/skills/search']) {
    const response = await get(path, { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect(response.headers.get('content-encoding')).toBeNull()
  }
})

test('a response that fits into one packet is not compressed', async () => {
  const response = await get('/api/v1/health', { 'accept-encoding': 'br, gzip' })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(Number(response.headers.get('content-length'))).toBe((await response.text()).length)
})

test.each(fixed)('%s has an ETag for each encoding, and is 304 for each', async (path) => {
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
    const response = await get(path, { 'accept-encoding': 'br, gzip', cookie, accept: 'text/html' })
    expect(`${path} ${response.status}`).toBe(`${path} 200`)
    expect(response.headers.get('content-encoding'), path).toBeNull()
  }
})
