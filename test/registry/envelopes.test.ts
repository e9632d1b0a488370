import { describe, expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { addressOf, ask, keysOf, publish, unique } from '../support/skills.ts'
import { words } from '../support/words.ts'

/**
 * The fields of every answer, written out by hand. In production mode, since in tests the contract
 * is laid over each answer and would drop a field too many.
 */
const identity = ['bio', 'createdAt', 'displayName', 'id', 'username']
const numbers = ['signingKey', 'skillCount', 'starCount', 'verifications']
const repo = ['downloadCount', 'id', 'importedStars', 'name', 'owner', 'starCount']
const item = words(`
  createdAt description fetchCount fetchUrl id name owner repo slug starCount tags updatedAt
  verdict warnings
`)
const detail = [
  ...item,
  'copyOf',
  'digest',
  'feedbackCount',
  'helpfulRate',
  'quarantine',
  'readme',
  'signature',
  'trustScore',
  'version',
].sort()
const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

describe('answers', async () => {
  const server = await startTestServer({ env: { NODE_ENV: 'production' } })
  const owner = await server.agent('owner')
  const skill = await publish(owner, { tags: ['pdf'], readme: '# Read me\n', name: 'Envelope' })
  await owner.client.registry.feedback.submit({
    params: { id: skill.id },
    body: { task: 'open it', helpful: true },
  })

  const answer = async (
    status: number,
    method: string,
    path: string,
    body?: unknown,
    key = owner.apiKey,
  ) => {
    const call = { key, ...(body === undefined ? {} : { body }) }
    const response = await ask(server, method, `/api/v1${path}`, call)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    return response.json()
  }
  const expectItem = (given: Record<string, unknown>, fields = item) => {
    expect(keysOf(given)).toEqual(fields)
    expect(keysOf(given.repo as object)).toEqual(repo)
    expect(keysOf(given.owner as object)).toEqual([
      'displayName',
      'id',
      'username',
      'verified',
      'verifiedAs',
    ])
    expect(given.id).toMatch(uuid)
    expect(given.createdAt).toMatch(isoUtc)
    expect(given.updatedAt).toMatch(isoUtc)
  }

  test('register: 201 with the identity and the key', async () => {
    const given = await answer(201, 'POST', '/agents/register', { username: unique('new') })
    expect(keysOf(given)).toEqual(['data'])
    expect(keysOf(given.data)).toEqual([...identity, 'apiKey'].sort())
    expect(given.data).toMatchObject({ displayName: null, bio: null })
    expect(given.data.createdAt).toMatch(isoUtc)
  })

  test('own profile: the identity with its numbers, without the key', async () => {
    const given = await answer(200, 'GET', '/agents/me')
    expect(keysOf(given)).toEqual(['data'])
    expect(keysOf(given.data)).toEqual([...identity, ...numbers].sort())
    expect(given.data).toMatchObject({ id: owner.id, skillCount: 1, starCount: 0 })
  })

  test('an agent: the same with its skills as items', async () => {
    const given = await answer(200, 'GET', `/agents/${owner.id}`)
    expect(keysOf(given)).toEqual(['data'])
    expect(keysOf(given.data)).toEqual([...identity, ...numbers, 'skills'].sort())
    expect(given.data.skills).toHaveLength(1)
    expectItem(given.data.skills[0])
  })

  test('API keys: a list without secrets, a new key with its secret, a revocation', async () => {
    const made = await answer(201, 'POST', '/api-keys', { name: 'laptop' })
    expect(keysOf(made)).toEqual(['data'])
    const shared = ['access', 'createdAt', 'expiresAt', 'id', 'keyPrefix', 'name', 'parentId']
    expect(keysOf(made.data)).toEqual([...shared, 'key'].sort())
    expect(made.data.key.startsWith(made.data.keyPrefix)).toBe(true)
    const list = await answer(200, 'GET', '/api-keys')
    expect(keysOf(list)).toEqual(['data', 'total'])
    expect(list.total).toBe(2)
    for (const key of list.data) {
      const fields = [...shared, 'lastUsedAt', 'lastUsedNetwork', 'revokedAt']
      expect(keysOf(key)).toEqual(fields.sort())
    }
    const revoked = await answer(200, 'DELETE', `/api-keys/${made.data.id}`)
    expect(revoked).toEqual({ data: { id: made.data.id, revoked: true, alsoRevoked: [] } })
  })

  test('publish: 201 with the detail and advice', async () => {
    const slug = unique('made')
    const given = await answer(201, 'POST', '/skills', { name: 'x', slug, readme: '# x' })
    expect(keysOf(given)).toEqual(['data', 'warnings'])
    expectItem(given.data, detail)
    expect(given.data).toMatchObject({ version: 1, readme: '# x', tags: [], description: '' })
    expect(given.data).toMatchObject({ helpfulRate: null, feedbackCount: 0, trustScore: 0 })
    for (const warning of given.warnings) {
      expect(keysOf(warning)).toEqual(['field', 'file', 'level', 'line', 'message', 'rule'])
    }
    expect(given.warnings.length).toBeGreaterThan(0)
    const changed = await answer(200, 'PUT', `/skills/${given.data.id}`, { readme: '# y' })
    expect(keysOf(changed)).toEqual(['data', 'warnings'])
    expectItem(changed.data, detail)
    const deleted = await answer(200, 'DELETE', `/skills/${given.data.id}`)
    expect(deleted).toEqual({ data: { id: given.data.id, deleted: true } })
  })

  test('a skill by id: the item and what only its page shows', async () => {
    const given = await answer(200, 'GET', `/skills/${skill.id}`)
    expect(keysOf(given)).toEqual(['data'])
    expectItem(given.data, detail)
    expect(given.data.fetchUrl).toBe(`http://skillpass.test${addressOf(skill)}?format=md`)
  })

  test('search: a page of items', async () => {
    const given = await answer(200, 'GET', '/skills/search?q=envelope')
    expect(keysOf(given)).toEqual(['data', 'hasMore', 'limit', 'page', 'total'])
    expect(given).toMatchObject({ total: 1, page: 1, limit: 20, hasMore: false })
    expectItem(given.data[0])
  })

  test('trending: items and their number', async () => {
    const given = await answer(200, 'GET', '/skills/trending')
    expect(keysOf(given)).toEqual(['data', 'total'])
    expect(given.total).toBe(given.data.length)
    expectItem(given.data[0])
  })

  test('resolve: ranked items, the weights of the words and what was asked', async () => {
    const given = await answer(200, 'GET', '/skills/resolve?task=envelope&threshold=0')
    expect(keysOf(given)).toEqual(['data', 'matched', 'query', 'threshold', 'tokenWeights'])
    expect(given).toMatchObject({ matched: 1, threshold: 0, query: 'envelope' })
    const [first] = given.data
    expect(keysOf(first)).toEqual(
      words(`
      confidence copyOf explanation fetchUrl relativeScore score skill
    `),
    )
    expectItem(first.skill)
    expect(first.fetchUrl).toBe(first.skill.fetchUrl)
    expect(first.copyOf).toBeNull()
    const { tokens, coverage, missing } = first.explanation
    expect(keysOf(first.explanation)).toEqual(['coverage', 'missing', 'tokens'])
    expect({ coverage, missing }).toEqual({ coverage: 1, missing: [] })
    expect(tokens.length).toBeGreaterThan(0)
    for (const each of tokens) expect(keysOf(each)).toEqual(['fields', 'token', 'weight'])
  })

  test('star and unstar: whether it stands, and the count', async () => {
    const path = `/skills/${skill.id}/star`
    const own = await answer(200, 'POST', path)
    expect(own).toEqual({ data: { starred: true, starCount: 0 } })
    const { apiKey } = await server.agent('fan')
    const given = await answer(200, 'POST', path, undefined, apiKey)
    expect(given).toEqual({ data: { starred: true, starCount: 1 } })
    const taken = await answer(200, 'DELETE', path, undefined, apiKey)
    expect(taken).toEqual({ data: { starred: false, starCount: 0 } })
  })

  test('feedback: a bare result and a bare summary, numbers as numbers', async () => {
    const path = `/skills/${skill.id}/feedback`
    const result = await answer(200, 'POST', path, { task: 'open it', helpful: true })
    expect(result).toEqual({ recorded: true, stats: { helpfulRate: 1, totalFeedback: 1 } })
    const summary = await answer(200, 'GET', path)
    expect(keysOf(summary)).toEqual(['helpfulRate', 'recentFeedback', 'totalFeedback'])
    const [entry] = summary.recentFeedback
    expect(keysOf(entry)).toEqual(['context', 'createdAt', 'helpful', 'task'])
    expect(entry).toMatchObject({ task: 'open it', helpful: true, context: null })
    expect(JSON.stringify(summary)).not.toContain(owner.id)
    expect(JSON.stringify(summary)).not.toContain(owner.username)
  })

  test('stats: bare numbers, never text', async () => {
    const given = await answer(200, 'GET', `/skills/${skill.id}/stats`)
    expect(given).toEqual({ fetchCount: 0, feedbackCount: 1, helpfulRate: 1, trustScore: 0 })
  })

  test('versions: number, digest, bytes and time', async () => {
    const given = await answer(200, 'GET', `/skills/${skill.id}/versions`)
    expect(keysOf(given)).toEqual(['data', 'total'])
    expect(keysOf(given.data[0])).toEqual(
      words(`
      createdAt digest fileCount signature size verdict version
    `),
    )
    expect(given.data[0]).toMatchObject({ version: 1, size: 10, digest: skill.digest })
  })

  test('health: bare, never stored', async () => {
    const response = await ask(server, 'GET', '/api/v1/health')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const given = await response.json()
    expect(keysOf(given)).toEqual(['status', 'timestamp', 'version'])
    expect(given).toMatchObject({ status: 'ok', version: '0.2.0' })
    expect(given.timestamp).toBe(new Date(server.clock.now()).toISOString())
  })
})
