import { createClient, UnexpectedResponseError } from '@skillpass/client'
import { expect, test } from 'vitest'
import { example, serve } from './fixture.ts'

const params = { userId: 'me' }

/** Returns a page of meetings with these topics. */
function page(nextPageToken: string, ...topics: string[]) {
  const body = example('platform.meetings.list')
  const meetings = topics.map((topic) => ({ ...body.meetings[0], topic }))
  return { body: { ...body, next_page_token: nextPageToken, meetings } }
}

const platformOf = (baseUrl: string) =>
  createClient({ baseUrl, accessToken: 'sat_token', retries: 0 }).platform

test('list.all returns the items of every page, and fetches a page when it is reached', async () => {
  const pages = [page('t/1+=', 'a', 'b'), page('t2'), page('', 'c')]
  const { baseUrl, received } = await serve((_, count) => pages[count - 1] ?? { status: 500 })
  const topics: string[] = []
  const query = { type: 'live', page_size: 2 } as const
  for await (const { topic } of platformOf(baseUrl).meetings.list.all({ params, query })) {
    topics.push(topic)
    expect(received).toHaveLength(topic === 'c' ? 3 : 1)
  }
  expect(topics).toEqual(['a', 'b', 'c'])
  const path = '/v2/users/me/meetings?type=live&page_size=2'
  expect(received.map(({ url }) => url)).toEqual([
    path,
    `${path}&next_page_token=t%2F1%2B%3D`,
    `${path}&next_page_token=t2`,
  ])
  expect(new Set(received.map(({ headers }) => headers.authorization))).toEqual(
    new Set(['Bearer sat_token']),
  )
})

test('search.all counts pages, and fetches none after the loop ends', async () => {
  const { baseUrl, received } = await serve((_, page) => {
    return { body: { ...example('registry.skills.search'), page, hasMore: true } }
  })
  const { search } = createClient({ baseUrl }).registry.skills
  for await (const _ of search.all({ query: { q: 'pdf', limit: 1 } })) {
    if (received.length === 3) break
  }
  const query = '/api/v1/skills/search?q=pdf&limit=1'
  expect(received.map(({ url }) => url)).toEqual([query, `${query}&page=2`, `${query}&page=3`])
})

test('all throws UnexpectedResponseError if a response has no list', async () => {
  const { baseUrl } = await serve(() => ({ body: { status: 'ok' } }))
  const all = platformOf(baseUrl).meetings.list.all({ params })
  await expect(all.next()).rejects.toThrow(UnexpectedResponseError)
  const skills = createClient({ baseUrl }).registry.skills.search.all()
  await expect(skills.next()).rejects.toThrow('no list "data"')
})
