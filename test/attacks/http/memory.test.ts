import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { file, publishBundle } from '../../support/bundles.ts'
import { afterFile } from '../../support/cleanup.ts'
import { startTestServer } from '../../support/server.ts'
import { publish, unique } from '../../support/skills.ts'
import { read as fetchAs, flushFetches } from '../../support/voters.ts'
import { until } from '../../support/waiting.ts'

const server = await startTestServer()
const author = await server.agent('author')
const reader = await server.agent('reader')

/** Cached routes by the id and slug of a skill, each with another spelling of the same request. */
const cached: [route: string, path: (id: string, slug: string) => [string, string]][] = [
  ['search', (_, q) => [`search?q=${q}`, `Search/?limit=020&verdict=&q=${q}`]],
  ['resolve', (_, q) => [`resolve?task=${q}&threshold=0`, `resolve?threshold=0.0&task=${q}`]],
  ['get', (id) => [`${id}?`, id.toUpperCase()]],
]

test.each(cached)('requests of %s share a response in every spelling', async (_, pathsOf) => {
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
  await fetchAs(server, [reader], skill)
  await flushFetches(server)
  const odd = `${path}&${'x'.repeat(90_000)}=1`
  for (const same of [path, odd, other]) expect(await fetchCount(same)).toBe('0')
  server.clock.advance(1000)
  expect(await fetchCount(path)).toBe('1')
})

describe('clients that never read', async () => {
  const server = await startTestServer()
  const { metrics } = server.ctx
  const mebibyte = 1024 ** 2
  const skill = await publishBundle(await server.agent('author'), [
    file('large.bin', randomBytes(4 * mebibyte)),
  ])
  const { owner, name } = skill.repo
  const uri = `skill://${owner}/${name}/1/${skill.slug}/large.bin`
  const requestOf = (params: object, headers = '') => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params })
    return `POST /mcp HTTP/1.1\r\nHost: skillpass.test\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`
  }
  const request = requestOf({ uri })
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  /** Only the newer protocol returns JSON, which is compressed. */
  const compressed = requestOf(
    { uri, _meta },
    `Accept-Encoding: gzip\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\nMcp-Name: ${uri}\r\n`,
  )

  /** Reads only the beginning of a resource, from a loopback address. Returns the status. */
  async function stall(localAddress: string, sockets: Socket[], sent = request): Promise<string> {
    const port = Number(new URL(server.url).port)
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    afterFile(async () => void socket.destroy())
    sockets.push(socket)
    socket.on('error', () => {}).write(sent)
    const beginning = await new Promise<Buffer>((resolve) => socket.once('data', resolve))
    socket.pause()
    return beginning.toString('latin1', 9, 12)
  }

  const read = (localAddress: string) =>
    new Promise<{ status: number | undefined; retryAfter: string | undefined }>(
      (resolve, reject) => {
        const options = { localAddress, agent: false }
        get(`${server.url}/api/v1/skills/trending`, options, (response) => {
          const { statusCode: status, headers } = response
          response
            .resume()
            .once('end', () => resolve({ status, retryAfter: headers['retry-after'] }))
        }).once('error', reject)
      },
    )

  async function leave(sockets: readonly Socket[]): Promise<void> {
    for (const socket of sockets) socket.destroy()
    await until('nothing waits', () => metrics.unsentBytes() === 0)
  }

  test('at one address may leave eight responses and 32 MiB unread, and are then refused with Retry-After', async () => {
    const sockets: Socket[] = []
    while ((await stall('127.0.0.2', sockets)) === '200') {
      expect(metrics.unsentBytes()).toBeLessThan(8 * 6 * mebibyte)
    }
    expect(sockets.length).toBeGreaterThan(8)
    expect(await read('127.0.0.2')).toEqual({ status: 503, retryAfter: expect.any(String) })
    expect((await read('127.0.0.3')).status).toBe(200)
    await leave(sockets)
    expect((await read('127.0.0.2')).status).toBe(200)
  })

  test('cannot hide a compressed resource from the count', async () => {
    const sockets: Socket[] = []
    expect(await stall('127.0.0.4', sockets, compressed)).toBe('200')
    expect(metrics.unsentBytes()).toBeGreaterThan(4 * mebibyte)
    await leave(sockets)
  })

  test('and disconnect leave no pipelined requests in flight', async () => {
    const port = Number(new URL(server.url).port)
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('error', () => {})
    // The other responses are queued behind the first, which is not read.
    const short = 'GET /api/v1/skills/trending HTTP/1.1\r\nHost: skillpass.test\r\n\r\n'
    socket.pause().write(request + request + short)
    await until('all wait', () => metrics.unsentBytes() > 10 * mebibyte && metrics.inFlight === 1)
    await leave([socket])
    await until('nothing is in flight', () => metrics.inFlight === 0)
  })

  test('at many addresses leave at most 128 MiB unread, and the oldest responses are cut off', async () => {
    const sockets: Socket[] = []
    for (let at = 1; at <= 30; at++) {
      expect(await stall(`127.0.1.${at}`, sockets)).toBe('200')
      expect(metrics.unsentBytes()).toBeLessThan((128 + 6) * mebibyte)
    }
    sockets[0]?.resume()
    await until('the first connection is cut', () => sockets[0]?.destroyed === true)
    const whole = await server.http(`/${owner}/${name}/${skill.slug}/files/large.bin`)
    expect((await whole.arrayBuffer()).byteLength).toBe(4 * mebibyte)
    await leave(sockets)
  })
})
