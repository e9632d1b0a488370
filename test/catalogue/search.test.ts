import { describe, expect, test } from 'vitest'
import { idsOf } from '../support/registry-calls.ts'
import { startTestServer } from '../support/server.ts'
import {
  addressOf,
  ask,
  expectError,
  publish,
  serverForTest,
  unique,
  writeJsonl,
} from '../support/skills.ts'

const uniqueWord = () => unique('w').replace('-', '')

const server = await startTestServer({ env: { TRUST_PROXY: 'loopback' } })
const { skills } = server.client.registry
type Query = NonNullable<NonNullable<Parameters<typeof skills.search>[0]>['query']>
const search = (query: Query) => skills.search({ query })
const found = async (query: Query) => idsOf((await search(query)).data)

const agent = await server.agent('author')

test('equal matches are sorted by stars, then by id', async () => {
  const w = uniqueWord()
  const authors = await Promise.all([1, 2, 3, 4].map(() => server.agent('tied')))
  const published = await Promise.all(
    authors.map((author) => publish(author, { name: `Tied ${w}`, slug: 'tied' })),
  )
  const fans = await Promise.all([1, 2].map(() => server.agent('fan')))
  const [first, second] = published
  const star = (by: (typeof fans)[number], id: string) =>
    by.client.registry.skills.star({ params: { id } })
  for (const fan of fans) if (first) await star(fan, first.id)
  if (second && fans[0]) await star(fans[0], second.id)
  const rest = idsOf(published.slice(2)).sort()
  expect(await found({ q: w })).toEqual([first?.id, second?.id, ...rest])
})

test('sort=downloads sorts by downloads of the repository, then by fetches of the skill, then by id', async () => {
  const w = uniqueWord()
  const [own, other] = [await server.agent('own'), await server.agent('other')]
  const [unread, alsoUnread, read] = [
    await publish(own, { name: w }),
    await publish(own, { name: w }),
    await publish(own, { name: w }),
  ]
  const most = await publish(other, { name: w })
  const starred = await publish(other, { name: w })
  const fan = await server.agent('fan')
  await fan.client.registry.skills.star({ params: { id: starred.id } })
  for (const reader of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) {
    const headers = { 'x-forwarded-for': reader }
    const fetched = reader.endsWith('3') ? [most] : [most, read]
    for (const skill of fetched) await ask(server, 'GET', addressOf(skill), { headers })
  }
  await server.runJob('writing counters')
  const ids = [unread.id, alsoUnread.id].sort()
  const sorted = [most.id, starred.id, read.id, ...ids]
  await expect.poll(() => found({ q: w, sort: 'downloads' })).toEqual(sorted)
  const { data } = await search({ q: w, sort: 'downloads' })
  expect(data.map(({ fetchCount }) => fetchCount)).toEqual([3, 0, 2, 0, 0])
})

test('sort=recent sorts by the last change', async () => {
  const w = uniqueWord()
  const first = await publish(agent, { name: w })
  server.clock.advance(1000)
  const second = await publish(agent, { name: `${w} ${w} later` })
  expect(await found({ q: w, sort: 'recent' })).toEqual([second.id, first.id])
  server.clock.advance(1000)
  const { update } = agent.client.registry.skills
  await update({ params: { id: first.id }, body: { tags: ['again'] } })
  expect(await found({ q: w, sort: 'recent' })).toEqual([first.id, second.id])
})

const [one, other] = [await server.agent('filter-one'), await server.agent('filter-other')]
const w = uniqueWord()
const tagged = await publish(one, { name: w, tags: ['PDF', 'Form Fill', '表'] })
const half = await publish(one, { name: w, tags: ['pdf'] })
const foreign = await publish(other, { name: w })

test('tags must all match, regardless of case and surrounding white space', async () => {
  const both = [tagged.id, half.id].sort()
  expect((await found({ q: w, tags: 'pdf' })).sort()).toEqual(both)
  expect((await found({ q: w, tags: 'PDF,,' })).sort()).toEqual(both)
  expect(await found({ q: w, tags: ' form fill , pdf' })).toEqual([tagged.id])
  expect(await found({ q: w, tags: '表,pdf' })).toEqual([tagged.id])
  expect(await found({ q: w, tags: 'pdf,none' })).toEqual([])
  expect(await found({ q: w, tags: 'form' })).toEqual([])
})

test('owner and repo must match regardless of case, alone and together', async () => {
  const owner = one.username.toUpperCase()
  const both = [tagged.id, half.id].sort()
  expect((await found({ owner })).sort()).toEqual(both)
  expect((await found({ q: w, owner, repo: 'SKILLS' })).sort()).toEqual(both)
  expect(await found({ q: w, owner, repo: 'other' })).toEqual([])
  expect(await found({ q: w, owner: other.username })).toEqual([foreign.id])
  expect(await found({ q: w, owner: 'filter' })).toEqual([])
  expect(await found({ owner, tags: 'form fill' })).toEqual([tagged.id])
})

describe('pages of search', async () => {
  const w = uniqueWord()
  const authors = await Promise.all([1, 2, 3].map(() => server.agent('paged')))
  const published = await Promise.all(
    authors.flatMap((author) => Array.from({ length: 9 }, () => publish(author, { name: w }))),
  )

  const sorts = ['stars', 'downloads', 'recent'] as const
  test.each(sorts)('pages sorted by %s never overlap and include every skill', async (sort) => {
    for (const q of [w, undefined]) {
      const ids: string[] = []
      for (let page = 1; ; page++) {
        const query = { sort, page, limit: 4, ...(q && { q }) }
        const { data, total, hasMore } = await search(query)
        expect(data.length).toBe(hasMore ? 4 : total - ids.length)
        ids.push(...idsOf(data))
        if (!hasMore) {
          expect(ids).toHaveLength(total)
          break
        }
      }
      expect(new Set(ids).size).toBe(ids.length)
      for (const { id } of published) expect(ids).toContain(id)
    }
  })
})

test('without q, skills are sorted by stars of the repository, including its upstream stars', async () => {
  const owner = unique('Up.Stream')
  const record = {
    owner,
    repo: 'Big.Repo',
    slug: 'famous',
    name: 'Famous',
    readme: '#',
    stars: 900,
  }
  const file = await writeJsonl([record])
  await server.operate('import', file)
  expect((await search({ limit: 1 })).data[0]?.slug).toBe('famous')
  const { data } = await search({ limit: 50 })
  expect(data[0]?.repo).toMatchObject({ owner, name: 'Big.Repo', starCount: 900 })
  const stars = data.map((item) => item.repo.starCount)
  expect(stars).toEqual([...stars].sort((a, b) => b - a))
  expect(await found({ owner: owner.toLowerCase(), repo: 'big.repo' })).toEqual([data[0]?.id])
})

test.each([
  ['search?', 'q', ['q'.repeat(201), '%00', 'a&q=b']],
  ['search?', 'page', ['0', '-1', '1.5', '1000001', 'x', '1e3', '0x1', '1&page=2', '%201']],
  ['search?', 'limit', ['0', '51', '-5', '2.5', 'ten', '1&limit=2', 'Infinity', 'NaN']],
  ['search?', 'sort', ['name', 'STARS', 'stars&sort=recent']],
  ['search?', 'owner', ['o'.repeat(101), 'a&owner=b']],
  ['search?', 'repo', ['r'.repeat(101), 'a&repo=b']],
  ['search?', 'tags', ['t'.repeat(1100), 'a&tags=b']],
  ['resolve?', 'task', ['', '%20', '%09%0A', 'a&task=b', '%00']],
  ['resolve?task=x&', 'limit', ['0', '51', '1.5', '-1', 'x', '1&limit=2']],
  [
    'resolve?task=x&',
    'threshold',
    ['-0.1', '1.1', 'x', '0.5&threshold=0.6', '5e1', '.', 'e-1', '0x0', 'NaN'],
  ],
  ['trending?', 'limit', ['0', '51', '1.5', 'x', '1&limit=2']],
])('%s with a malformed %s is rejected and names the parameter', async (path, name, values) => {
  for (const value of values) {
    const response = server.http(`/api/v1/skills/${path}${name}=${value}`)
    const { details } = await expectError(response, 'VALIDATION_ERROR')
    expect(details.map((detail) => [detail.in, detail.path])).toEqual([['query', name]])
  }
})

test('trending lists the skills with the most stars first', async () => {
  const author = await server.agent('trend')
  const [two, three, one] = [await publish(author), await publish(author), await publish(author)]
  const fans = await Promise.all([1, 2, 3].map(() => server.agent('trend-fan')))
  for (const [index, fan] of fans.entries()) {
    const { star } = fan.client.registry.skills
    await star({ params: { id: three.id } })
    if (index < 2) await star({ params: { id: two.id } })
    if (index < 1) await star({ params: { id: one.id } })
  }
  const { data } = await skills.trending({ query: { limit: 50 } })
  const counts = data.map(({ starCount }) => starCount)
  expect(counts).toEqual([...counts].sort((a, b) => b - a))
  const own = idsOf(data).filter((id) => [one.id, two.id, three.id].includes(id))
  expect(own).toEqual([three.id, two.id, one.id])
})

test('trending accepts a limit of 1 to 50, and returns 20 skills by default', async () => {
  expect((await skills.trending({ query: { limit: 1 } })).data).toHaveLength(1)
  expect((await skills.trending()).data).toHaveLength(20)
  expect((await skills.trending({ query: { limit: 50 } })).data.length).toBeGreaterThan(20)
})

test('an empty registry returns empty lists', async () => {
  const { search, trending, resolve } = (await serverForTest()).client.registry.skills
  const nothing = { data: [], total: 0, page: 1, limit: 20, hasMore: false }
  expect(await search()).toEqual(nothing)
  const query = { q: 'x', page: 3, limit: 5 }
  expect(await search({ query })).toEqual({ ...nothing, page: 3, limit: 5 })
  expect(await trending()).toEqual({ data: [], total: 0 })
  expect(await resolve({ query: { task: 'x' } })).toMatchObject({ data: [], matched: 0 })
})
