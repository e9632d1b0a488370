import { expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { publish } from '../../support/skills.ts'

// Servers under test check answers against the contract and make them anew each time.
const server = await startTestServer({ env: { NODE_ENV: 'development' } })

/** The skills of a list, parsed from its text. */
async function listed(path: string, from = server) {
  // A compressed answer has no content-length.
  const headers = { 'accept-encoding': 'identity' }
  const answer = await from.http(`/api/v1/skills/${path}`, { headers })
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  const text = await answer.text()
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(text))
  const body: { data: object[] } = JSON.parse(text)
  expect(text).toBe(JSON.stringify(body))
  return body.data.map((entry) => ('skill' in entry ? entry.skill : entry))
}

const lists = ['search', 'search?q=kettle', 'trending', 'resolve?threshold=0&task=boil+the+kettle']

test('every list shows a skill in its current state, however often it was shown before', async () => {
  const [author, fan] = [await server.agent('author'), await server.agent('fan')]
  const { id } = await publish(author, { name: 'Kettle', slug: 'kettle', tags: ['tea'] })
  const params = { id }
  const shows = async (expected: object) => {
    for (const list of [...lists, ...lists]) {
      expect(await listed(list), list).toEqual([expect.objectContaining({ id, ...expected })])
    }
  }
  await shows({ name: 'Kettle', tags: ['tea'], starCount: 0 })

  await fan.client.registry.skills.star({ params })
  await shows({ starCount: 1, repo: expect.objectContaining({ starCount: 1 }) })

  server.clock.advance(1000)
  const body = { name: 'Kettle für Tee 茶', slug: 'kettle-2', tags: ['tea', 'water'] }
  const { data } = await author.client.registry.skills.update({ params, body })
  await shows({ ...body, updatedAt: data.updatedAt, starCount: 1, fetchUrl: data.fetchUrl })
  expect(data.fetchUrl).toContain('/kettle-2?')

  await author.client.registry.skills.update({ params, body: { tags: ['tea', 'leaves'] } })
  await shows({ tags: ['tea', 'leaves'] })

  await fan.client.registry.skills.unstar({ params })
  await shows({ starCount: 0, repo: expect.objectContaining({ starCount: 0 }) })
})

test('two servers of one process show a skill at their own addresses', async () => {
  const { database } = server
  const env = { NODE_ENV: 'development', BASE_URL: 'http://elsewhere.test' }
  const other = await startTestServer({ database, env })
  for (const [one, base] of [
    [server, 'http://skillpass.test/'],
    [other, 'http://elsewhere.test/'],
  ] as const) {
    const fetchUrl = expect.stringMatching(`^${base}`)
    expect(await listed('search', one)).toEqual([expect.objectContaining({ fetchUrl })])
  }
})
