import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { serveHttp } from '../support/http-server.ts'
import { serverForTest } from '../support/skills.ts'

let requests = 0
const answers: Record<string, (response: ServerResponse) => void> = {
  '/plain': (response) => response.end('{"a":1}'),
  '/hour': (response) => {
    response.setHeader('Cache-Control', 'public, max-age=3600').end('{"a":1}')
  },
  '/forever': (response) => {
    response.setHeader('Cache-Control', 'max-age=99999999').end('{"a":1}')
  },
  '/no-store': (response) => {
    response.setHeader('Cache-Control', 'no-store, max-age=3600').end('{"a":1}')
  },
  '/moved': (response) => response.writeHead(302, { location: '/plain' }).end(),
  '/text': (response) => response.setHeader('Content-Type', 'text/plain').end('{"a":1}'),
  '/list': (response) => response.end('[]'),
  '/missing': (response) => {
    response.statusCode = 404
    response.end('x'.repeat(64 * 1024))
  },
  '/full': (response) => response.end(`{"a":"${'x'.repeat(64 * 1024 - 8)}"}`),
  '/huge': (response) => response.end(`{"a":"${'x'.repeat(64 * 1024 - 7)}"}`),
}
const { url } = await serveHttp((request, response) => {
  requests++
  response.setHeader('Content-Type', 'application/json')
  answers[request.url?.replace(/\?.*/, '') ?? '']?.(response)
})

const minutes = (count: number) => count * 60_000

async function start(environment: 'development' | 'test' = 'development') {
  const isOpen = environment === 'development'
  const env = { NODE_ENV: environment, WEBHOOK_ALLOW_PRIVATE_ADDRESSES: isOpen ? 'on' : 'off' }
  const { clock, ctx } = await serverForTest({ env })
  return { clock, fetchJson: ctx.fetchJson }
}

test.each([
  ['/plain', 1],
  ['/no-store', 1],
  ['/hour', 60],
  ['/forever', 1440],
  ['/moved', 1],
])('%s is fetched again after %i minutes', async (path, lifetime) => {
  const { clock, fetchJson } = await start()
  const before = requests
  await Promise.all([fetchJson(url + path), fetchJson(url + path)])
  clock.advance(minutes(lifetime) - 1)
  await fetchJson(url + path)
  expect(requests).toBe(before + 1)
  clock.advance(1)
  await fetchJson(url + path)
  expect(requests).toBe(before + 2)
})

test('a caller that wants a recent document gets one that is at most that old', async () => {
  const { clock, fetchJson } = await start()
  const before = requests
  await fetchJson(`${url}/hour`)
  clock.advance(minutes(1))
  await fetchJson(`${url}/hour`, { maxAge: minutes(1) })
  expect(requests).toBe(before + 2)
})

test('only a JSON object of at most 64 KiB with status 200 is returned', async () => {
  const { fetchJson } = await start()
  expect(await fetchJson(`${url}/full`)).toHaveProperty('json.a')
  expect(await fetchJson(`${url}/huge`)).toEqual({ reason: 'The response is larger than 64 KiB.' })
  expect(await fetchJson(`${url}/text`)).toHaveProperty('reason')
  expect(await fetchJson(`${url}/list`)).toEqual({ reason: 'The response is not a JSON object.' })
  expect(await fetchJson(`${url}/moved`)).toEqual({
    reason: 'The response status is 302, but 200 is required.',
  })
})

test.each([
  ['long documents evict older', '/full', 1],
  ['failures with long texts evict no', '/missing', 0],
])('%s documents from the cache', async (_, path, fetched) => {
  const { clock, fetchJson } = await start()
  await fetchJson(`${url}/forever`)
  for (let count = 0; count < 300; count++) {
    if (count % 15 === 0) clock.advance(minutes(2))
    expect(await fetchJson(`${url}${path}?${count}`)).not.toHaveProperty('retryAfter')
  }
  const before = requests
  await fetchJson(`${url}/forever`)
  expect(requests).toBe(before + fetched)
})

test('a server that allows no private addresses fetches nothing there', async () => {
  const { fetchJson } = await start('test')
  const before = requests
  expect(await fetchJson(`${url}/plain`)).toEqual({ reason: 'The address must be https.' })
  expect(await fetchJson('https://127.0.0.1/')).toHaveProperty('reason')
  expect(requests).toBe(before)
})
