import { beforeAll, describe, expect, test } from 'vitest'
import { startDemoServer } from '../support/demo-server.ts'
import { signIn } from '../support/people.ts'

/** What is over 1 kB, of each kind: pages, JSON that is made, and what is always the same. */
const compressed = [
  '/',
  '/docs',
  '/docs/errors',
  '/search?q=pdf',
  '/api/v1/skills/search',
  '/api/v1/skills/resolve?task=fill+in+a+pdf+form',
  '/.well-known/oauth-authorization-server',
  '/openapi.json',
  '/assets/skillpass.css',
  '/docs/docs.css',
  '/docs/start.js',
  '/docs/swagger-ui.css',
  '/docs/swagger-ui-bundle.js',
]

const fixed = compressed.slice(7)

describe('answers in text', async () => {
  const server = await startDemoServer()
  const get = (path: string, headers: Record<string, string>, method = 'GET') =>
    server.http(path, { method, headers })

  test.each(
    compressed.flatMap((path) => ['br', 'gzip'].map((encoding) => [path, encoding] as const)),
  )('%s comes as %s to who takes that, and as it is to who does not', async (path, encoding) => {
    const plain = await get(path, { 'accept-encoding': 'identity' })
    const short = await get(path, { 'accept-encoding': encoding })
    expect([plain.status, short.status]).toEqual([200, 200])
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(short.headers.get('content-encoding')).toBe(encoding)
    for (const { headers } of [plain, short]) {
      expect(headers.get('vary')).toMatch(/\baccept-encoding\b/i)
    }
    // Two answers may name two times and two request ids, and are alike otherwise.
    const text = await plain.text()
    expect(text.length).toBeGreaterThan(1024)
    expect((await short.text()).length).toBe(text.length)
  })

  test('an encoding that a client refuses is not used', async () => {
    for (const path of ['/openapi.json', '/api/v1/skills/search']) {
      const answer = await get(path, { 'accept-encoding': 'br;q=0, gzip;q=0' })
      expect(answer.headers.get('content-encoding')).toBeNull()
      await answer.text()
    }
  })

  test('an answer that fits into a packet stays as it is', async () => {
    const answer = await get('/api/v1/health', { 'accept-encoding': 'br, gzip' })
    expect(answer.headers.get('content-encoding')).toBeNull()
    expect(Number(answer.headers.get('content-length'))).toBe((await answer.text()).length)
  })

  test.each(fixed)('%s is compared by a tag of each encoding, and answers 304', async (path) => {
    const tags = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding }
      const first = await get(path, headers)
      await first.arrayBuffer()
      const tag = first.headers.get('etag') ?? ''
      tags.add(tag)
      const again = await get(path, { ...headers, 'if-none-match': tag })
      expect([again.status, await again.text()]).toEqual([304, ''])
      const head = await get(path, headers, 'HEAD')
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
    }
    expect(tags.size).toBe(3)
  })

  test('markdown stays byte for byte, with the digest as its tag', async () => {
    const path = '/demo-agent/skills/write-meeting-minutes?format=md'
    const answer = await get(path, { 'accept-encoding': 'br, gzip' })
    expect(answer.headers.get('content-encoding')).toBeNull()
    const tag = answer.headers.get('etag') ?? ''
    expect(tag).toMatch(/^"sha256:[0-9a-f]{64}"$/)
    await answer.text()
    const again = await get(path, { 'accept-encoding': 'br, gzip', 'if-none-match': tag })
    expect(again.status).toBe(304)
  })

  describe('with the cookie of a person', () => {
    let cookie = ''
    beforeAll(async () => {
      cookie = (
        await signIn(server, { email: 'user@testAccounts.test', password: server.password })
      ).cookie()
    })

    test.each(['/', '/search?q=pdf', '/my/apps', '/console', '/docs/errors'])(
      '%s is not compressed, so that its length tells nothing of its secrets',
      async (path) => {
        const answer = await get(path, {
          'accept-encoding': 'br, gzip',
          cookie,
          accept: 'text/html',
        })
        expect(answer.status).toBe(200)
        expect(answer.headers.get('content-encoding')).toBeNull()
        await answer.text()
      },
    )
  })
})
