import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { loadConfig } from '@skillpass/server/config/config'
import { importSkills } from '@skillpass/server/registry/import/import'
import { startServer } from '@skillpass/server/serve'
import { readTrace } from '@skillpass/server/tracing/trace'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { declare, makeApp, password } from '../support/apps.ts'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/databases.ts'
import { allow, hookApp, userOf } from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { unique } from '../support/skills.ts'
import { until } from '../support/waiting.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${spanId}-01`
const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'

const newTrace = () => randomBytes(16).toString('hex')
const headersOf = (trace: string) => ({ traceparent: `00-${trace}-${spanId}-01`, tracestate })

/** Expects that a call to another service belongs to the trace, under another span than the caller's. */
function expectHandedOn(headers: IncomingHttpHeaders, trace: string) {
  const [, version, id, parent, flags] =
    /^(00)-([0-9a-f]{32})-([0-9a-f]{16})-(01)$/.exec(String(headers.traceparent)) ?? []
  expect([version, id, flags, headers.tracestate]).toEqual(['00', trace, '01', tracestate])
  expect(parent).not.toBe(spanId)
}

/** Starts another service, which collects its requests. */
async function startService(answer: (req: IncomingMessage) => Promise<string>) {
  const asked: IncomingMessage[] = []
  const service = createServer(async (req, res) => {
    asked.push(req)
    res.end(await answer(req))
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  afterFile(async () => {
    service.close()
    service.closeAllConnections()
  })
  return { asked, url: `http://127.0.0.1:${(service.address() as AddressInfo).port}` }
}

describe('the request log', async () => {
  const lines: string[] = []
  const { url: DATABASE_URL, remove } = await createTestDatabase('sqlite')
  const config = loadConfig({ NODE_ENV: 'test', PORT: '0', DATABASE_URL, SNAPSHOT_DIR: 'off' })
  const log = pino(
    { base: null, level: 'debug' },
    { write: (line: string) => void lines.push(line) },
  )
  const server = await startServer(config, { log })
  afterFile(async () => {
    await server.stop()
    await remove()
  })

  const traced = async (headers: [string, string][]) => {
    const requestId = unique('request-of-the-test')
    const all = new Headers([['x-request-id', requestId], ...headers])
    const answer = await fetch(`${server.url}/health/live`, { headers: all })
    const find = () => lines.find((line) => line.includes(requestId))
    await until('the line', () => find() !== undefined)
    return { answer, line: JSON.parse(find() ?? '') as Record<string, string> }
  }

  test.each([
    ['of version 00', traceparent],
    ['that is not sampled', `00-${traceId}-${spanId}-00`],
    ['with unknown flags', `00-${traceId}-${spanId}-fe`],
    ['of a later version', `cc-${traceId}-${spanId}-01`],
    ['of a later version with more fields', `cc-${traceId}-${spanId}-01-what-the-future-holds`],
  ])(
    'a line of the log names the trace of a traceparent %s, and a new span',
    async (_name, given) => {
      const { line } = await traced([['traceparent', given]])
      expect(line.traceId).toBe(traceId)
      expect(line.spanId).toMatch(/^[0-9a-f]{16}$/)
      expect(line.spanId).not.toBe(spanId)
    },
  )

  test.each([
    ['that is missing', []],
    ['that is empty', ['']],
    ['that is repeated', [traceparent, traceparent]],
    ['in upper case', [traceparent.toUpperCase()]],
    ['of version ff', [`ff-${traceId}-${spanId}-01`]],
    ['of version 00 with more fields', [`${traceparent}-01`]],
    ['of a later version whose further fields lack a dash', [`cc-${traceId}-${spanId}-01.more`]],
    ['with a trace id of zeros', [`00-${'0'.repeat(32)}-${spanId}-01`]],
    ['with a span id of zeros', [`00-${traceId}-${'0'.repeat(16)}-01`]],
    ['with a short trace id', [`00-${traceId.slice(1)}-${spanId}-01`]],
    ['with invalid digits', [`00-${traceId.replace('4', 'g')}-${spanId}-01`]],
    ['with flags of one digit', [`00-${traceId}-${spanId}-1`]],
  ])('a line of the log names a new trace for a traceparent %s', async (_name, given) => {
    const { line } = await traced(given.map((value) => ['traceparent', value]))
    expect(line.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/)
    expect(line.traceId).not.toBe(traceId)
    expect(line.spanId).toMatch(/^(?!0+$)[0-9a-f]{16}$/)
  })

  test('each request without a traceparent has another trace, and no answer contains a trace id', async () => {
    const [one, two] = [await traced([]), await traced([])]
    expect(one.line.traceId).not.toBe(two.line.traceId)
    const { answer } = await traced([['traceparent', traceparent]])
    const text = JSON.stringify([...answer.headers])
    expect(text).not.toMatch(/trace/i)
    expect(text).not.toContain(traceId)
  })
})

describe('calls to other services', async () => {
  const upstream = await startService(async () => 'nothing to see')
  const server = await startOAuthServer({
    env: {
      VERIFICATION_FILE_URL: `${upstream.url}/{owner}/{repo}`,
    },
  })
  const receiver = await startReceiver()
  afterFile(receiver.close)

  test('every attempt of a webhook has the trace of the request that caused its event', async () => {
    const remover = await makeApp(server, unique('Remover'), ['user:delete:user:admin'], {
      level: 'account',
    })
    const { access_token } = await server.grantOf(remover, { email: 'admin@acme.test' })
    const app = await hookApp(server, receiver)
    const email = `${unique('leaver')}@acme.test`
    await declare(server, { accounts: [{ name: 'Acme', users: [{ email, password }] }] })
    await allow(server, app, { email })
    let attempts = 0
    receiver.answer(app.path, (response) => response.writeHead(++attempts === 1 ? 500 : 200).end())
    const trace = newTrace()
    const removed = await server.http(`/v2/users/${(await userOf(server, email)).id}`, {
      method: 'DELETE',
      headers: { ...headersOf(trace), authorization: `Bearer ${access_token}` },
    })
    expect(removed.status).toBe(204)
    await until('both attempts', () => {
      server.clock.advance(60_000)
      server.ctx.webhooks.wake()
      return receiver.deliveries(app.path).length === 2
    })
    for (const { headers } of receiver.deliveries(app.path)) expectHandedOn(headers, trace)
  })

  test('a request for a verification file has the trace of the request that checks it', async () => {
    const [owner, folder] = [unique('acme'), await temporaryFolder()]
    await writeFile(
      join(folder, 'SKILL.md'),
      '---\nname: m\ndescription: Melts wax.\n---\n# Melt\n',
    )
    await importSkills(server.ctx, [folder], { as: 'keeper', owner, repo: 'tools' })
    const { client, apiKey } = await server.agent()
    const body = { method: 'file', owner, repo: 'tools' } as const
    const { data } = await client.registry.verifications.create({ body })
    const trace = newTrace()
    const checked = await server.http(`/api/v1/agents/me/verifications/${data.id}/check`, {
      method: 'POST',
      headers: { ...headersOf(trace), authorization: `Bearer ${apiKey}` },
    })
    expect(checked.status).toBe(409)
    const [asked] = upstream.asked
    expect(asked?.url).toBe(`/${owner}/tools`)
    expectHandedOn(asked?.headers ?? {}, trace)
  })
})

test.each([
  ['without spaces', 'a=1 , b=2,,c@d=3', 'a=1,b=2,c@d=3'],
  ['not at all if a member is not valid', 'a=1,B=2', undefined],
  ['not at all if a key is repeated', 'a=1,a=2', undefined],
  [
    'not at all if it is too long',
    `a=${'1'.repeat(200)},b=${'2'.repeat(200)},c=${'3'.repeat(200)}`,
    undefined,
  ],
  [
    'not at all if it has 33 members',
    Array.from({ length: 33 }, (_, n) => `k${n}=1`).join(),
    undefined,
  ],
])('tracestate is passed on %s', (_name, given, expected) => {
  expect(readTrace({ traceparent, tracestate: given })).toEqual({
    traceId,
    spanId,
    isSampled: true,
    state: expected,
  })
})
