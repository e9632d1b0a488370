import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { accountOf, password } from '../support/apps.ts'
import { afterFile } from '../support/cleanup.ts'
import { createServerDatabase, engine } from '../support/databases.ts'
import { accountToken, startOAuthServer } from '../support/oauth-server.ts'
import { freePort, runCommand, startProcess } from '../support/processes.ts'
import { exchange } from '../support/raw-http.ts'
import { startTestServer } from '../support/server.ts'
import { unique } from '../support/skills.ts'
import { until } from '../support/waiting.ts'
import { type CollectedSpan, type Collector, startCollector } from './collector.ts'

const spanId = '00f067aa0ba902b7'
const tracestate = 'rojo=00f067aa0ba902b7'

/** Headers of a caller with a new trace. */
function callerOf(isSampled = true) {
  const traceId = randomBytes(16).toString('hex')
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
  return { traceId, headers: { traceparent, tracestate } }
}

describe('traces at a collector', async () => {
  const collector = await startCollector()
  const server = await startOAuthServer({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    },
  })
  const { apiKey } = await server.agent()
  const word = unique('canary')
  const post = (slug: string, more: Record<string, string>) =>
    server.http('/api/v1/skills', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...more },
      body: JSON.stringify({
        name: `Tides of ${word}`,
        slug,
        description: `Reads the tide tables of ${word}.`,
        readme: `# Tides\n\n1. Find the table of ${word}.\n2. Add the offset.\n`,
      }),
    })
  const publisher = callerOf()
  const published = await post(`tides-${word}`, publisher.headers)
  const unwatched = callerOf(false)
  await post(`other-${word}`, unwatched.headers)
  const resolver = callerOf()
  await server.http(`/api/v1/skills/resolve?threshold=0&task=tides+${word}`, resolver)
  const read = await server.http(`/api/v1/skills/${unique('none')}`)
  const lost = await server.http(`/api/v9/${word}`)
  const shouted = await exchange(server.url, [`PROPFIND /${word} HTTP/1.1\r\nHost: a\r\n\r\n`])
  const reporter = server.app('Reporter')
  const granted = await accountToken(server, reporter, accountOf(server.applied, 'Acme').id)
  const me = await server.me(granted.body.access_token)
  // The stop sends the rest.
  await server.stop()
  const { spans } = collector
  const ofTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId)
  const only = (found: CollectedSpan[]) => {
    expect(found).toHaveLength(1)
    return found[0]
  }
  const served = (name: string) =>
    spans.filter((span) => span.kind === 'server' && span.name === name)

  test('a span of the server is named by method and route template, and has route and status', () => {
    expect([published.status, read.status, granted.status, me.status]).toEqual([201, 404, 200, 200])
    const [first] = served('POST /api/v1/skills')
    expect(first?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/skills',
      'http.response.status_code': 201,
    })
    expect(only(served('GET /api/v1/skills/:id'))?.attributes).toMatchObject({
      'http.response.status_code': 404,
    })
    expect(served('POST /oauth/token').map(({ attributes }) => attributes)).toContainEqual(
      expect.objectContaining({ 'http.response.status_code': 200 }),
    )
    for (const { name } of spans) expect(name).toMatch(/^[\w]+( [\w/:.*{}-]+)?$/)
  })

  test('a span without a route is named by its method, and HTTP for an unknown method', () => {
    expect([lost.status, shouted.first.status]).toEqual([404, 404])
    expect(only(served('GET'))?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 404,
    })
    expect(only(served('HTTP'))?.attributes).toEqual({
      'http.request.method': '_OTHER',
      'http.request.method_original': 'PROPFIND',
      'http.response.status_code': 404,
    })
  })

  test('a span has the span of the traceparent as its parent and keeps the tracestate', () => {
    const span = only(ofTrace(publisher.traceId).filter(({ kind }) => kind === 'server'))
    expect(span).toMatchObject({ parentId: spanId, state: tracestate })
    expect(span?.spanId).not.toBe(spanId)
    expect(served('GET')[0]?.parentId).toBe('')
  })

  test('a request whose traceparent is not sampled is not recorded', () => {
    expect(ofTrace(unwatched.traceId)).toEqual([])
  })

  test('a span of a statement belongs to its transaction, and that to the request', () => {
    const all = ofTrace(publisher.traceId)
    const root = only(all.filter(({ kind }) => kind === 'server'))
    const transactions = all.filter(({ name }) => name === 'transaction')
    expect(transactions.map(({ parentId }) => parentId)).toContain(root?.spanId)
    const insert = only(all.filter(({ name }) => name === 'insert skills'))
    expect(transactions.map((each) => each.spanId)).toContain(insert?.parentId)
    expect(insert).toMatchObject({
      kind: 'client',
      hasFailed: false,
      attributes: {
        'db.system.name': engine === 'sqlite' ? 'sqlite' : 'postgresql',
        'db.query.text': expect.stringMatching(/^insert into "skills" .*values/),
      },
    })
  })

  test('traces contain no parameter values, secrets or email addresses', () => {
    const sent = Buffer.concat(collector.bodies).toString('latin1')
    expect(sent).toContain('insert into')
    const { clientId, clientSecret } = reporter
    const secrets = [word, apiKey, clientId, clientSecret, granted.body.access_token, password]
    for (const secret of [...secrets, 'member@acme.test']) {
      expect(String(secret).length).toBeGreaterThan(5)
      expect(sent).not.toContain(secret)
    }
  })

  test('the resource of the traces names the service and its version', () => {
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'skillpass',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+$/),
      'telemetry.sdk.language': 'nodejs',
    })
    expect(collector.headers[0]).toMatchObject({ 'content-type': 'application/x-protobuf' })
  })
})

/** Makes packages of OpenTelemetry missing in a process. */
const withoutPackages = (() => {
  const hook = `export const resolve = (name, context, next) => {
    if (!name.startsWith('@opentelemetry/')) return next(name, context)
    throw Object.assign(new Error(name + ' is missing'), { code: 'ERR_MODULE_NOT_FOUND' })
  }`
  const encoded = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`
  const register = `import { register } from 'node:module'; register(${JSON.stringify(encoded(hook))})`
  return { NODE_OPTIONS: `--import ${encoded(register)}` }
})()

describe('the process of a server with and without a collector', async () => {
  const database = await createServerDatabase('sqlite')
  afterFile(database.remove)
  const start = async (env: Record<string, string>) => {
    const log = { LOG_LEVEL: 'info' }
    const server = await startProcess({ databaseUrl: database.url, env: { ...env, ...log } })
    afterFile(() => server.end('SIGKILL'))
    return server
  }
  const serve = (env: Record<string, string>) =>
    runCommand(['serve'], { databaseUrl: database.url, env })
  const ask = async (url: string) => (await fetch(`${url}/api/v1/skills/search?q=tides`)).status

  test('a server without a collector needs no package of OpenTelemetry', async () => {
    const server = await start(withoutPackages)
    expect(await ask(server.url)).toBe(200)
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  test('a server with a collector and without the packages prints what to install', async () => {
    const env = { ...withoutPackages, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
    const { code, stderr } = await serve(env)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the optional packages of OpenTelemetry are not installed: run `npm ci` without --omit=optional.\n',
    })
  })

  test('a server with a collector ends with 1 if its start fails', async () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      DATABASE_URL: `postgres://127.0.0.1:${await freePort()}/none`,
      DATABASE_WAIT_SECONDS: '0',
    }
    const { code, stderr } = await serve(env)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Postgres') })
  })

  test('a server answers while the collector is away, and logs once that it is away and once that it is back', async () => {
    const port = await freePort()
    const server = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    })
    const count = (text: string) => server.output().split(text).length - 1
    const [away, back] = ['does not take traces', 'the collector takes traces again']
    const askUntil = (what: string, check: () => boolean) =>
      until(what, async () => {
        expect(await ask(server.url)).toBe(200)
        return check()
      })
    await askUntil('the line of the outage', () => count(away) > 0)
    for (let more = 0; more < 50; more++) expect(await ask(server.url)).toBe(200)
    const collector: Collector = await startCollector({ port })
    await askUntil('the line of its end', () => count(back) > 0)
    expect([count(away), count(back)]).toEqual([1, 1])
    expect(collector.spans.length).toBeGreaterThan(0)
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })
})

test('a stop of tracing ends at its deadline although the collector is silent', async () => {
  const collector = await startCollector({ answers: false })
  const { ctx, http } = await startTestServer({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  })
  await http('/api/v1/skills/search?q=tides')
  const deadline = new AbortController()
  const stopping = ctx.tracing.stop(deadline.signal)
  await until('the spans', () => collector.spans.length > 0)
  deadline.abort()
  await stopping
  expect(collector.spans.map(({ name }) => name)).toContain('GET /api/v1/skills/search')
})
