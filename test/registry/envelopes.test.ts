import { describe, expect, test } from 'vitest'
import { startTestServer } from '../support/server.ts'
import { addressesAt } from '../support/settings.ts'
import { ask, keysOf, publish, unique } from '../support/skills.ts'
import { words } from '../support/words.ts'

/** The fields of a value: `true` for a single value, and of a list the fields of its first item. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return true
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shapeOf(field)]))
}

const fields = (names: string) => Object.fromEntries(words(names).map((name) => [name, true]))

const identity = fields('bio createdAt displayName id username')
const profile = { ...identity, ...fields('signingKey skillCount starCount'), verifications: [] }
const item = {
  ...fields('createdAt description fetchCount fetchUrl id name slug starCount updatedAt verdict'),
  owner: fields('displayName id username verified verifiedAs'),
  repo: fields('downloadCount id importedStars name owner starCount'),
  tags: [true],
  warnings: [],
}
const detail = {
  ...item,
  ...fields(
    'copyOf digest feedbackCount helpfulRate quarantine readme signature trustScore version',
  ),
}
const warning = fields('field file level line message rule')
const apiKey = fields('access createdAt expiresAt id keyPrefix name parentId')
const page = fields('hasMore limit page total')

describe('the fields of answers', async () => {
  // In test mode the server drops fields that the contract does not have.
  const server = await startTestServer({
    env: { NODE_ENV: 'production', ...addressesAt('https://skillpass.test') },
  })
  const owner = await server.agent('owner')
  const { apiKey: key } = owner
  const skill = await publish(owner, { tags: ['pdf'], readme: '# Read me\n', name: 'Envelope' })
  const { data: spare } = await owner.client.registry.apiKeys.create({ body: { name: 'spare' } })
  const gone = await publish(owner, { tags: ['gone'] })
  await owner.client.registry.feedback.submit({
    params: { id: skill.id },
    body: { task: 'open it', helpful: true },
  })
  const at = `/skills/${skill.id}`
  const made = { name: 'x', slug: unique('made'), tags: ['x'] }

  test.each<[status: number, method: string, path: string, shape: object, body?: object]>([
    [201, 'POST', '/agents/register', { data: { ...identity, apiKey: true } }, { username: 'new' }],
    [200, 'GET', '/agents/me', { data: profile }],
    [200, 'GET', `/agents/${owner.id}`, { data: { ...profile, skills: [item] } }],
    [201, 'POST', '/api-keys', { data: { ...apiKey, key: true } }, { name: 'laptop' }],
    [
      200,
      'GET',
      '/api-keys',
      { data: [{ ...apiKey, ...fields('lastUsedAt lastUsedNetwork revokedAt') }], total: true },
    ],
    [
      200,
      'DELETE',
      `/api-keys/${spare.id}`,
      { data: { ...fields('id revoked'), alsoRevoked: [] } },
    ],
    [201, 'POST', '/skills', { data: detail, warnings: [warning] }, made],
    [200, 'PUT', at, { data: detail, warnings: [warning] }, { name: 'Envelope' }],
    [200, 'GET', at, { data: detail }],
    [200, 'DELETE', `/skills/${gone.id}`, { data: fields('deleted id') }],
    [200, 'GET', '/skills/search?q=envelope', { data: [item], ...page }],
    [200, 'GET', '/skills/trending', { data: [item], total: true }],
    [200, 'POST', `${at}/star`, { data: fields('starCount starred') }],
    [200, 'DELETE', `${at}/star`, { data: fields('starCount starred') }],
    [
      200,
      'POST',
      `${at}/feedback`,
      { recorded: true, stats: fields('helpfulRate totalFeedback') },
      { task: 'x', helpful: true },
    ],
    [
      200,
      'GET',
      `${at}/feedback`,
      {
        ...fields('helpfulRate totalFeedback'),
        recentFeedback: [fields('context createdAt helpful task')],
      },
    ],
    [200, 'GET', `${at}/stats`, fields('feedbackCount fetchCount helpfulRate trustScore')],
    [
      200,
      'GET',
      `${at}/versions`,
      {
        data: [fields('createdAt digest fileCount signature size verdict version')],
        total: true,
      },
    ],
  ])('a %i answer of %s %s has exactly the fields of the contract', async (...row) => {
    const [status, method, path, shape, body] = row
    const response = await ask(server, method, `/api/v1${path}`, { key, body })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(shapeOf(await response.json())).toEqual(shape)
  })

  test('resolve answers exactly the fields of the contract', async () => {
    const path = '/api/v1/skills/resolve?task=envelope&threshold=0'
    const { tokenWeights, ...given } = await (await ask(server, 'GET', path)).json()
    expect(keysOf(tokenWeights)).toEqual(['envelope'])
    const explanation = {
      coverage: true,
      missing: [],
      tokens: [{ fields: [true], token: true, weight: true }],
    }
    const hit = { ...fields('confidence copyOf fetchUrl relativeScore score'), explanation }
    const top = fields('matched query threshold')
    expect(shapeOf(given)).toEqual({ ...top, data: [{ ...hit, skill: item }] })
  })

  test('ids are UUIDs and times are ISO 8601 in UTC', async () => {
    const { data } = await (await ask(server, 'GET', `/api/v1${at}`)).json()
    expect(data.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
    for (const time of [data.createdAt, data.updatedAt]) {
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  test('health is not stored and contains status, time and version', async () => {
    const response = await ask(server, 'GET', '/api/v1/health')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const timestamp = new Date(server.clock.now()).toISOString()
    expect(await response.json()).toEqual({ status: 'ok', version: '0.2.0', timestamp })
  })
})
