import { accessOpens, keyAccesses, type RouteMetadata, registryContract } from '@skillpass/contract'
import { listRoutes } from '@skillpass/server/http/endpoints'
import { systemRandom } from '@skillpass/server/runtime/time'
import { createSecret } from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'
import { fillPath, nameOf, type Route } from '../../support/contract.ts'
import { engine } from '../../support/databases.ts'
import { countFigure } from '../../support/rounds.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'

/** What a request needs to succeed for its owner, made anew for every route. */
interface Scene {
  agentId: string
  skillId: string
  keyId: string
  claimId: string
  repoId: string
  owner: string
  unique: string
}

/** What a route answers the owner of what it names, and another agent's living key. */
type Expectation = [owner: number, foreign: number, body?: (scene: Scene) => unknown]

/**
 * Every route of the registry, with the answers it owes an owner and a stranger. A new route must be
 * added here; those of the other services have a matrix of their own.
 */
const expectations: Record<string, Expectation> = {
  'GET /api/v1/health': [200, 200],
  'POST /api/v1/agents/register': [201, 201, ({ unique }) => ({ username: unique })],
  'GET /api/v1/agents/me': [200, 200],
  'PUT /api/v1/agents/me/signing-key': [400, 400, () => badKey],
  'GET /api/v1/agents/:id': [200, 200],
  'GET /api/v1/agents/me/notices': [200, 200],
  'GET /api/v1/agents/me/verifications': [200, 200],
  'POST /api/v1/agents/me/verifications': [201, 403, ({ owner }) => claimOf(owner, 'new.example')],
  // Its own claim is found; what was to prove it is not.
  'POST /api/v1/agents/me/verifications/:id/check': [409, 404],
  'GET /api/v1/api-keys': [200, 200],
  'POST /api/v1/api-keys': [201, 201, () => ({ name: 'another' })],
  'DELETE /api/v1/api-keys': [200, 200],
  'DELETE /api/v1/api-keys/:id': [200, 404],
  'GET /api/v1/repos': [200, 200],
  'POST /api/v1/repos': [201, 201, ({ unique }) => ({ name: unique })],
  'GET /api/v1/repos/:id': [200, 403],
  'GET /api/v1/skills/search': [200, 200],
  'GET /api/v1/skills/resolve': [200, 200],
  'GET /api/v1/skills/trending': [200, 200],
  'POST /api/v1/skills': [
    201,
    403,
    ({ unique, repoId }) => ({ name: unique, slug: unique, repoId }),
  ],
  'GET /api/v1/skills/:id': [200, 200],
  'PUT /api/v1/skills/:id': [200, 403, () => ({ name: 'changed' })],
  'DELETE /api/v1/skills/:id': [200, 403],
  'GET /api/v1/skills/:id/stats': [200, 200],
  'GET /api/v1/skills/:id/versions': [200, 200],
  'POST /api/v1/skills/:id/star': [200, 200],
  'DELETE /api/v1/skills/:id/star': [200, 200],
  'POST /api/v1/skills/:id/feedback': [200, 200, () => ({ task: 'anything', helpful: true })],
  'POST /api/v1/skills/:id/report': [201, 201, () => ({ reason: 'spam' })],
  'POST /api/v1/skills/:id/answer': [409, 403, () => ({ version: 1, text: 'x' })],
  'GET /api/v1/skills/:id/feedback': [200, 200],
  'GET /.well-known/agent-skills/index.json': [200, 200],
  'GET /.well-known/skills/index.json': [200, 200],
  'GET /.well-known/agent-skills/:name/:file': [200, 200],
  'GET /.well-known/skills/:name/:file': [200, 200],
  'GET /api/search': [200, 200],
  'GET /.well-known/clawhub.json': [200, 200],
  'GET /clawhub/api/v1/search': [200, 200],
  'GET /clawhub/api/v1/skills/:slug': [200, 200],
  'GET /clawhub/api/v1/skills/:slug/versions/:version': [200, 200],
  'GET /clawhub/api/v1/resolve': [200, 200],
  'GET /clawhub/api/v1/download': [308, 308],
  'GET /:owner/.well-known/:form/index.json': [200, 200],
  'GET /:owner/:repo/.well-known/:form/index.json': [200, 200],
  'GET /:owner/:repo/:skill/.well-known/:form/index.json': [200, 200],
  'GET /:owner/.well-known/:form/:name/*file': [200, 200],
  'GET /:owner/:repo/.well-known/:form/:name/*file': [200, 200],
  'GET /:owner/:repo/:skill/.well-known/:form/:name/*file': [200, 200],
  // No bytes have this digest.
  'PUT /api/v1/blobs/:sha256': [400, 400],
  'GET /api/v1/skills/:id/files': [200, 200],
  'GET /:owner/:repo/:skill/files/*path': [200, 200],
  'GET /:owner/:repo/:skill/archive.tar.gz': [200, 200],
  'GET /:owner/:repo/:skill/archive.zip': [200, 200],
  'GET /:owner/:repo/:skill': [200, 200],
}

const badKey = { publicKey: `${'A'.repeat(43)}=`, proof: `${'A'.repeat(86)}==` }
const claimOf = (owner: string, domain: string) => ({ method: 'dns' as const, owner, domain })

/** What a route asks for in its query. */
const queries: Record<string, string> = {
  '/api/v1/skills/resolve': '?task=anything',
  '/api/search': '?q=anything',
  '/clawhub/api/v1/search': '?q=anything',
}

/** What the path of a route names. */
const paramsOf = ({ path }: Route, scene: Scene) => ({
  owner: scene.owner,
  repo: 'skills',
  skill: 'own',
  form: 'agent-skills',
  name: path.startsWith('/.well-known/') ? 'skillpass' : 'own',
  file: 'SKILL.md',
  path: 'SKILL.md',
  sha256: 'f'.repeat(64),
  slug: 'own',
  version: '1',
  id: path.includes('verifications')
    ? scene.claimId
    : path.includes('api-keys')
      ? scene.keyId
      : path.includes('agents')
        ? scene.agentId
        : path.includes('repos')
          ? scene.repoId
          : scene.skillId,
})

const routes = listRoutes(registryContract)

test('every route of the registry has a row in the matrix, and no row is left over', () => {
  expect(Object.keys(expectations).sort()).toEqual(routes.map(nameOf).sort())
})

const metadataOf = ({ metadata }: Route) => metadata as RouteMetadata

const answered = countFigure('attempts at registry routes, answered as declared')

describe('authorization', async () => {
  // Nobody answers there, at once.
  const env = { VERIFICATION_DNS_SERVERS: '127.0.0.1:9' }
  const server = await startTestServer({ env })
  const stranger = await server.agent('stranger')
  const keys = { ...(await refusedKeys(server)), stranger: stranger.apiKey }
  let scenes = 0

  const makeScene = async () => {
    const own = await server.agent('owner')
    const { data: skill } = await own.client.registry.skills.publish({
      body: { name: 'own', slug: 'own', readme: '# Own' },
    })
    const { data: key } = await own.client.registry.apiKeys.create({ body: { name: 'spare' } })
    const { data: claim } = await own.client.registry.verifications.create({
      body: claimOf(own.username, 'own.example'),
    })
    return {
      apiKey: own.apiKey,
      scene: {
        agentId: own.id,
        skillId: skill.id,
        keyId: key.id,
        claimId: claim.id,
        repoId: skill.repo.id,
        owner: own.username,
        unique: `unique-${engine}-${++scenes}`,
      },
    }
  }

  const send = async (
    route: Route,
    scene: Scene,
    extra: { headers?: Record<string, string>; query?: string; body?: object } = {},
  ) => {
    const [, , body] = expectations[nameOf(route)] ?? []
    const named = `?slug=own&ownerHandle=${scene.owner}`
    const isByName = route.path.startsWith('/clawhub/')
    const query = queries[route.path] ?? (isByName ? named : '')
    const more = extra.query ? `${query ? '&' : '?'}${extra.query}` : ''
    const sent = body || extra.body ? { ...(body?.(scene) ?? {}), ...extra.body } : undefined
    const answer = await server.http(fillPath(route, paramsOf(route, scene)) + query + more, {
      method: route.method,
      headers: {
        ...(sent ? { 'Content-Type': 'application/json' } : {}),
        ...extra.headers,
      },
      ...(sent && route.method !== 'GET' ? { body: JSON.stringify(sent) } : {}),
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  const bearer = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })

  /** What opens nothing; each is given the key that would open the scene, put where it must not count. */
  const refused: Record<string, (key: string) => Parameters<typeof send>[2]> = {
    'no credential': () => ({}),
    'an empty credential': () => ({ headers: { Authorization: '' } }),
    'Bearer and nothing': () => ({ headers: { Authorization: 'Bearer ' } }),
    garbage: () => bearer('garbage'),
    'garbage of 60 KB': () => bearer('g'.repeat(60_000)),
    'a key with a wrong checksum': (key) => bearer(`${key.slice(0, -1)}${flip(key)}`),
    'a key in other case': (key) => bearer(key.toLowerCase()),
    'a well-formed key that does not exist': () => bearer(keys.unknown),
    'a revoked key': () => bearer(keys.revoked),
    'a key whose maker was revoked': () => bearer(keys.orphaned),
    'an expired key': () => bearer(keys.expired),
    'a hash in place of its key': () => bearer('a'.repeat(64)),
    'the key without its prefix': (key) => bearer(key.slice(4)),
    'the key with more behind it': (key) => bearer(`${key} ${key}`),
    'the key and a comma': (key) => bearer(`${key},`),
    'the key without Bearer': (key) => ({ headers: { Authorization: key } }),
    'Basic with the key as password': (key) => ({
      headers: { Authorization: `Basic ${btoa(`agent:${key}`)}` },
    }),
    'Basic with the key as it is': (key) => ({ headers: { Authorization: `Basic ${key}` } }),
    'Token in place of Bearer': (key) => ({ headers: { Authorization: `Token ${key}` } }),
    'the key in the query': (key) => ({
      query: `api_key=${key}&access_token=${key}&apiKey=${key}`,
    }),
    'the key in a cookie': (key) => ({
      headers: { Cookie: `apiKey=${key}; Authorization=${key}` },
    }),
    'the key in the body': (key) => ({ body: { apiKey: key, access_token: key } }),
    'the key in other headers': (key) => ({
      headers: { 'X-Api-Key': key, 'X-Authorization': `Bearer ${key}`, 'Proxy-Authorization': key },
    }),
  }

  test.each(routes.map((route) => [nameOf(route), route] as const))(
    '%s asks for what it declares',
    async (name, route) => {
      const [owner, stranger] = expectations[name] ?? []
      const { auth } = metadataOf(route)
      const first = await makeScene()
      for (const [kind, make] of Object.entries(refused)) {
        const { apiKey } = first
        const scene = { ...first.scene, unique: `unique-${engine}-${++scenes}` }
        const { status, headers, text } = await send(route, scene, make(apiKey))
        expect(`${kind}: ${status}`).toBe(`${kind}: ${auth === 'none' ? owner : 401}`)
        answered()
        expect(text).not.toContain(apiKey)
        if (auth === 'none') continue
        expect(headers.get('www-authenticate')).toBe('Bearer realm="skillpass"')
        expect(JSON.parse(text)).toMatchObject({ error: { code: 'UNAUTHORIZED' } })
        const { data: kept } = await server.client.registry.skills.get({
          params: { id: scene.skillId },
        })
        expect(kept).toMatchObject({ name: 'own', starCount: 0, feedbackCount: 0, version: 1 })
      }
      for (const held of auth === 'none' ? [] : keyAccesses) {
        const { apiKey, scene } = await makeScene()
        const { apiKeys } = server.clientFor(apiKey).registry
        const narrowed = await apiKeys.create({ body: { name: held, access: held } })
        const { status, text } = await send(route, scene, bearer(narrowed.data.key))
        const opens = accessOpens(held, metadataOf(route).access ?? 'full')
        expect(`${held}: ${status}`).toBe(`${held}: ${opens ? owner : 403}`)
        answered()
        if (opens) continue
        expect(JSON.parse(text)).toMatchObject({
          error: { code: 'FORBIDDEN', message: expect.stringContaining(`has ${held} access`) },
        })
      }
      const { apiKey, scene } = await makeScene()
      const foreign = await send(route, scene, bearer(keys.stranger))
      expect(`a stranger: ${foreign.status}`).toBe(`a stranger: ${stranger}`)
      const fresh = { ...scene, unique: `${scene.unique}-own` }
      const own = await send(route, fresh, bearer(apiKey))
      expect(`the owner: ${own.status}`).toBe(`the owner: ${owner}`)
      answered(2)
    },
    60_000,
  )

  test('the scheme of a key counts without case, as RFC 9110 says', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await server.http('/api/v1/agents/me', {
        headers: { Authorization: `${scheme} ${stranger.apiKey}` },
      })
      expect(answer.status).toBe(200)
    }
  })
})

const flip = (key: string) => (key.endsWith('0') ? '1' : '0')

/** Keys that open nothing: one revoked, and one that was never issued. */
async function refusedKeys(server: TestServer) {
  const own = await server.agent('former')
  const { data } = await own.client.registry.apiKeys.create({ body: { name: 'revoked' } })
  const maker = server.clientFor(data.key).registry.apiKeys
  const orphaned = await maker.create({ body: { name: 'made by the revoked one' } })
  await own.client.registry.apiKeys.revoke({ params: { id: data.id } })
  const expiresAt = new Date(server.clock.now() + 1000).toISOString()
  const expired = await own.client.registry.apiKeys.create({ body: { name: 'short', expiresAt } })
  server.clock.advance(1000)
  return {
    revoked: data.key,
    orphaned: orphaned.data.key,
    expired: expired.data.key,
    unknown: createSecret('apiKey', systemRandom),
  }
}
