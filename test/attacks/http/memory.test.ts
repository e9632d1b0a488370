import { expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { publish, unique } from '../../support/skills.ts'
import { flushFetches, read } from '../../support/voters.ts'

const server = await startTestServer()
const author = await server.agent('author')
const reader = await server.agent('reader')

/** Cached routes by the id and slug of a skill, each with another spelling of the same request. */
const cached: [route: string, path: (id: string, slug: string) => [string, string]][] = [
  ['search', (_, q) => [`search?q=${q}`, `Search/?limit=020&verdict=&q=${q}`]],
  ['resolve', (_, q) => [`resolve?task=${q}&threshold=0`, `resolve?threshold=0.0&task=${q}`]],
  ['get', (id) => [`${id}?`, id.toUpperCase()]],
]

test.each(cached)(
  'requests of %s share a cached response, whatever unknown parameters and spellings they have',
  async (_, pathsOf) => {
    const slug = unique('kettle')
    const skill = await publish(author, { slug, readme: '# Boil the kettle\n' })
    const [path, other] = pathsOf(skill.id, slug)
    const fetchCount = async (path: string) => {
      const response = await server.http(`/api/v1/skills/${path}`)
      expect(response.status).toBe(200)
      return /"fetchCount":(\d+)/.exec(await response.text())?.[1]
    }
    // Apply the publication from the database too, so that only the count changes afterwards.
    await flushFetches(server)
    expect(await fetchCount(path)).toBe('0')
    await read(server, [reader], skill)
    await flushFetches(server)
    const odd = `${path}&${'x'.repeat(90_000)}=1`
    for (const same of [path, odd, other]) expect(await fetchCount(same)).toBe('0')
    server.clock.advance(1000)
    expect(await fetchCount(path)).toBe('1')
  },
)
