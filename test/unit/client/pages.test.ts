import { createClient, PlatformRequestError, UnexpectedResponseError } from '@skillpass/client'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { serve } from './fixture.ts'

const params = { userId: 'me' }

const meeting = (topic: string) => ({
  uuid: `u-${topic}`,
  id: 85746065432,
  host_id: 'user-1',
  topic,
  type: 2,
  start_time: '2026-11-21T09:30:00Z',
  duration: 45,
  timezone: 'UTC',
  agenda: '',
  created_at: '2026-11-21T09:30:00Z',
  join_url: 'https://auth.example.com/j/85746065432',
})

/** A page of meetings with these topics. */
const page = (next_page_token: string, ...topics: string[]) => ({
  body: { page_size: 2, total_records: 5, next_page_token, meetings: topics.map(meeting) },
})

const platformOf = (baseUrl: string) =>
  createClient({ baseUrl, accessToken: 'sat_token', retries: 0 }).platform

describe('iterating over a list that gives a token for the next page', () => {
  test('gives the items of every page, each page fetched when it is reached', async () => {
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

  test('goes on from the token that it is given, and ends with the loop', async () => {
    const { baseUrl, received } = await serve(() => page('more', 'a', 'b'))
    const query = { next_page_token: 'kept' }
    for await (const _ of platformOf(baseUrl).meetings.list.all({ params, query })) break
    expect(received.map(({ url }) => url)).toEqual(['/v2/users/me/meetings?next_page_token=kept'])
  })

  test('throws the error of the page that failed', async () => {
    const { baseUrl } = await serve((_, count) =>
      count === 1 ? page('t1', 'a') : { status: 404, body: { code: 1001, message: 'No user.' } },
    )
    const all = platformOf(baseUrl).meetings.list.all({ params })
    expect((await all.next()).value?.topic).toBe('a')
    await expect(all.next()).rejects.toThrow(PlatformRequestError)
  })

  test('throws UnexpectedResponseError where an answer holds no such list', async () => {
    const { baseUrl } = await serve(() => ({ body: { status: 'ok' } }))
    const all = platformOf(baseUrl).meetings.list.all({ params })
    await expect(all.next()).rejects.toThrow(UnexpectedResponseError)
    const skills = createClient({ baseUrl }).registry.skills.search.all()
    await expect(skills.next()).rejects.toThrow('no list "data"')
  })

  test('is typed by the one list that the page holds, and by what the call takes', async () => {
    const { users, meetings } = platformOf('https://x.test')
    const never = () => [
      // @ts-expect-error the user is needed
      meetings.list.all(),
      // @ts-expect-error one meeting has no pages
      meetings.get.all(),
      // @ts-expect-error no such list
      meetings.list.all({ params, query: { type: 'lost' } }),
    ]
    expect(never).toBeTypeOf('function')
    type Item<G> = G extends AsyncGenerator<infer T, void, undefined> ? T : never
    expectTypeOf<Item<ReturnType<typeof meetings.list.all>>['topic']>().toEqualTypeOf<string>()
    expectTypeOf<Item<ReturnType<typeof users.list.all>>['email']>().toEqualTypeOf<string>()
    expect(Object.keys(meetings.get)).toEqual([])
  })
})
