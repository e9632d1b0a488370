import { contract, listRoutes } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { filledAddress, isAddressRoute, queryOf } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import { addressOf, ask, expectError, nobody, publish, unique } from '../support/skills.ts'
import { words } from '../support/words.ts'

const server = await startTestServer()
const agent = await server.agent('author')
const skill = await publish(agent, { readme: '# x' })
const key = agent.apiKey
const acme = unique('acme')
await agent.client.registry.organizations.create({ body: { username: acme } })

/** Returns a path of a route with its parameters filled in. */
const concrete = (path: string) =>
  isAddressRoute(path)
    ? filledAddress(path, skill)
    : path
        .replace(
          ':id',
          path.includes('agents') ? agent.id : path.includes('repos') ? skill.repo.id : skill.id,
        )
        .replace(':username', acme)

const paths = [...new Set(listRoutes(contract.registry).map(({ path }) => path))]
const methodsOf = (path: string) => {
  const declared = listRoutes(contract.registry).filter((route) => route.path === path)
  const methods = declared.map(({ method }): string => method)
  return [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])].sort()
}

const returnsBody = (path: string) =>
  listRoutes(contract.registry).some(
    (route) => route.path === path && route.method === 'GET' && 200 in route.responses,
  )

// A repository or a skill may be named mcp, so a GET returns its page.
const isScopedMcp = (path: string) => /^\/:.*\/mcp$/.test(path)

const unscoped = paths.filter((path) => !isScopedMcp(path))
test.each(unscoped)('%s returns 405 with Allow for other methods', async (path) => {
  const takes = methodsOf(path)
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    if (takes.includes(method)) continue
    const response = ask(server, method, concrete(path), { key })
    const { headers } = await expectError(response, 'METHOD_NOT_ALLOWED')
    expect(headers.get('allow')?.split(', ').sort()).toEqual(takes)
  }
})

test.each(paths)('%s returns Allow for OPTIONS, and allows every origin', async (path) => {
  const plain = await ask(server, 'OPTIONS', concrete(path))
  expect(plain.status).toBe(204)
  expect(plain.headers.get('allow')?.split(', ').sort()).toEqual(methodsOf(path))
  const headers = {
    origin: 'https://elsewhere.test',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  }
  const preflight = await ask(server, 'OPTIONS', concrete(path), { headers })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase()
  for (const name of words('authorization content-type if-none-match baggage x-request-id')) {
    expect(allowed).toContain(name)
  }
  for (const { method } of listRoutes(contract.registry)) {
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method)
  }
})

test.each(paths.filter(returnsBody))('%s answers HEAD like GET, without a body', async (path) => {
  const target = concrete(path) + queryOf(path, skill)
  const head = await ask(server, 'HEAD', target, { key })
  expect(head.status).toBe(200)
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
  expect(await head.text()).toBe('')
})

test('a script of another origin may read API responses and their headers', async () => {
  const headers = { origin: 'https://elsewhere.test' }
  const search = '/api/v1/skills/search'
  for (const path of [search, '/api/v1/none', addressOf(skill), '/openapi.json']) {
    const response = await ask(server, 'GET', path, { headers })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const exposed = response.headers.get('access-control-expose-headers')?.toLowerCase()
    for (const name of ['etag', 'ratelimit', 'retry-after', 'x-request-id']) {
      expect(exposed).toContain(name)
    }
  }
  const page = await ask(server, 'GET', '/', { headers })
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
})

test.each([
  ...words('/api /api/ /api/v1 /api/v1/ /api/v1/none /api/v1/skills/search/more'),
  ...words('/api/v1/skills/x/y/z /api/v2/skills /api/v1/agents /api/v1/%00'),
  `/api/v1/skills/${nobody}/none`,
])('%s is NOT_FOUND in JSON for every method, even to browsers', async (path) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    await expectError(ask(server, method, path, { key }), 'NOT_FOUND')
  }
  await expectError(ask(server, 'GET', path, { headers: { accept: 'text/html' } }), 'NOT_FOUND')
})

test('a malformed X-Request-Id is replaced by a new one', async () => {
  const seen = new Set<string>()
  for (const id of ['', 'short', 'x'.repeat(65), 'has space1', '<script>1', 'a;b;c;d;e']) {
    const response = await ask(server, 'GET', '/api/v1/health', { headers: { 'x-request-id': id } })
    const returnedId = response.headers.get('x-request-id') ?? ''
    expect(returnedId).toMatch(/^[\w-]{8,64}$/)
    expect(returnedId).not.toBe(id)
    seen.add(returnedId)
  }
  expect(seen.size).toBe(6)
})

const routes = [
  ['POST', '/agents/register', { username: unique('body') }, 201],
  ['POST', '/api-keys', { name: 'x' }, 201],
  ['POST', '/repos', { name: unique('body') }, 201],
  ['POST', '/skills', { name: 'x', slug: unique('body') }, 201],
  ['POST', '/skills/parse', { readme: 'x' }, 200],
  ['POST', '/skills/try', { skills: [{ readme: 'x' }], tasks: ['x'] }, 200],
  ['PUT', `/skills/${skill.id}`, { name: 'x' }, 200],
  ['POST', `/skills/${skill.id}/feedback`, { task: 'x', helpful: true }, 200],
  ['POST', `/skills/${skill.id}/report`, { reason: 'spam', text: 'Look.' }, 201],
  ['POST', '/organizations', { username: unique('body') }, 201],
  ['PATCH', `/organizations/${acme}`, { displayName: 'Acme' }, 200],
  ['POST', `/organizations/${acme}/invitations`, { role: 'reader' }, 201],
  ['PATCH', `/repos/${skill.repo.id}`, { visibility: 'public' }, 200],
  // These routes fail for lack of a finding to answer, a valid proof, or an owner or invitation.
  ['PATCH', `/organizations/${acme}/members/${agent.username}`, { role: 'reader' }, 409],
  ['POST', '/invitations/accept', { code: 'x' }, 404],
  ['POST', `/repos/${skill.repo.id}/transfer`, { to: 'nobody' }, 404],
  ['POST', `/skills/${skill.id}/answer`, { version: 1, text: 'x' }, 409],
  ['PUT', '/agents/me/signing-key', { publicKey: 'x', proof: 'x' }, 400],
  ['POST', '/agents/me/verifications', { method: 'file', owner: 'nobody', repo: 'x' }, 404],
] as const

test('the error for a body that is not JSON states the problem without quoting the body', async () => {
  for (const body of ['{"username": s3cret}', '{"username": "s3cret"', 's3cret, "s3cret"']) {
    const response = await ask(server, 'POST', '/api/v1/agents/register', { body })
    const text = await response.text()
    expect(text).toMatch(/is not valid JSON: (Unexpected|Expected)/)
    expect(text).not.toContain('s3cret')
  }
})

test.each(routes)('%s %s refuses a body that is not a JSON object', async (method, path) => {
  const send = (body: string, type = 'application/json') =>
    ask(server, method, `/api/v1${path}`, { key, body, headers: { 'content-type': type } })
  for (const body of ['{', '{"a":}', 'null', '"text"', '7', '[]', '\u0000', '{"a":1}x']) {
    await expectError(send(body), 'VALIDATION_ERROR')
  }
  const form = ['application/x-www-form-urlencoded', 'multipart/form-data']
  for (const type of ['text/plain', 'garbage', '', ...form]) {
    const { details } = await expectError(send('{}', type), 'VALIDATION_ERROR')
    expect(details).toMatchObject([{ in: 'headers', path: 'content-type' }])
  }
  await expectError(send('{}', 'application/json; charset=klingon'), 'VALIDATION_ERROR')
})

test.each(routes)('%s %s accepts a body of up to 1 MiB', async (method, path, body, status) => {
  const padding = (size: number) => JSON.stringify(body).padEnd(size)
  const send = (text: string) => ask(server, method, `/api/v1${path}`, { key, body: text })
  await expectError(send(padding(1024 * 1024 + 1)), 'PAYLOAD_TOO_LARGE')
  const largest = padding(1024 * 1024)
  expect(largest).toHaveLength(1024 * 1024)
  expect((await send(largest)).status).toBe(status)
})
