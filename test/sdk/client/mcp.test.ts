import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { runSkillpass } from '../../support/commands.ts'
import { serveHttp } from '../../support/http-server.ts'
import { clientCommand } from '../../support/processes.ts'
import { until } from '../../support/waiting.ts'
import { failure, type Received, type Reply, serve } from './fixture.ts'

const message = (fields: object) => `${JSON.stringify({ jsonrpc: '2.0', ...fields })}\n`
const list = message({ id: 1, method: 'tools/list' })
const call = message({ id: 1, method: 'tools/call', params: { name: 'publish_skill' } })
const linesOf = (out: string) =>
  out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

const resultOf = ({ body }: Received): Reply => {
  const { id } = JSON.parse(body)
  return id === undefined ? { status: 202 } : { body: { jsonrpc: '2.0', id, result: { id } } }
}

/** Runs `skillpass mcp` with these lines. */
async function run(text: string, reply = resultOf, args: string[] = [], url?: string) {
  const { baseUrl, received } = await serve(reply)
  const env = { SKILLPASS_URL: url ?? baseUrl, SKILLPASS_API_KEY: 'skp_key' }
  const input = new PassThrough().end(text)
  const ran = await runSkillpass(['mcp', ...args], { env, input })
  return { ...ran, messages: linesOf(ran.out), received }
}

test('skillpass mcp forwards each line with the API key and prints the responses', async () => {
  const notification = message({ method: 'notifications/initialized' })
  const lines = `\r\n${notification}${list.trim()}\r\n${message({ id: 'b', method: 'ping', params: { text: '\u2028' } })}`
  const { code, err, messages, received } = await run(lines.trimEnd())
  expect([code, err]).toEqual([0, ''])
  expect(messages).toHaveLength(2)
  expect(messages).toContainEqual({ jsonrpc: '2.0', id: 1, result: { id: 1 } })
  expect(messages).toContainEqual({ jsonrpc: '2.0', id: 'b', result: { id: 'b' } })
  expect(received.map(({ url, headers }) => [url, headers.authorization])).toEqual(
    Array(3).fill(['/mcp', 'Bearer skp_key']),
  )
})

test('skillpass mcp with an owner or repository uses its endpoint', async () => {
  for (const scope of ['writer', 'writer/skills']) {
    expect((await run(list, resultOf, [scope])).received[0]?.url).toBe(`/${scope}/mcp`)
  }
  expect((await run('', resultOf, ['a/b/c'])).err).toContain('"a/b/c" is not of the form')
})

test('skillpass mcp derives the headers of MCP 2026-07-28 from each message', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const sent = async (method: string, params: object) => {
    const { received } = await run(message({ id: 1, method, params: { ...params, _meta } }))
    const headers = received[0]?.headers ?? {}
    return ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map((name) => headers[name])
  }
  expect(await sent('tools/list', {})).toEqual(['2026-07-28', 'tools/list', undefined])
  const encoded = '=?base64?Z3LDtsOfZQ==?='
  for (const [name, header] of [
    ['resolve_skills', 'resolve_skills'],
    ['größe', encoded],
    [encoded, `=?base64?${btoa(encoded)}?=`],
  ]) {
    expect(await sent('tools/call', { name })).toEqual(['2026-07-28', 'tools/call', header])
  }
})

test('skillpass mcp sends the version that initialize negotiated', async () => {
  const { baseUrl, received } = await serve(({ body }) => {
    const { id } = JSON.parse(body)
    return { body: { jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } } }
  })
  const input = new PassThrough()
  const printed: string[] = []
  const env = { SKILLPASS_URL: baseUrl }
  const child = spawn(process.execPath, [clientCommand, 'mcp'], { env: { ...process.env, ...env } })
  child.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  input.pipe(child.stdin)
  input.write(message({ id: 0, method: 'initialize' }))
  await until('initialize is answered', () => printed.join('').includes('\n'))
  input.end(list)
  const [code] = await once(child, 'close')
  expect(code).toBe(0)
  expect(received.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
    undefined,
    '2025-11-25',
  ])
})

test('skillpass mcp prints the notifications and the result of an event stream', async () => {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
  const result = { jsonrpc: '2.0', id: 1, result: {} }
  const headers = { 'content-type': 'text/event-stream' }
  const stream = (...events: object[]) =>
    `: comment\nevent: message\n${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}`
  const whole = await run(list, () => ({ headers, body: stream(progress, result) }))
  expect(whole.messages).toEqual([progress, result])
  const cut = await run(list, () => ({ headers, body: stream(progress) }))
  expect(cut.messages[1].error.message).toContain('ended the response too early')
})

test.each<[string, Reply, string]>([
  ['401', { status: 401, body: failure('UNAUTHORIZED') }, 'SKILLPASS_API_KEY was refused'],
  ['403', { status: 403, body: failure('FORBIDDEN') }, 'This is FORBIDDEN.'],
  [
    '429',
    { status: 429, headers: { 'retry-after': '77' }, body: failure('RATE_LIMITED') },
    'Try again in 77 seconds.',
  ],
  ['503', { status: 503, body: failure('UNAVAILABLE') }, 'This is UNAVAILABLE.'],
  ['a redirect', { status: 301, headers: { location: '/x' } }, 'returned 301'],
  ['a page', { body: '<p>' }, 'the address of a Skillpass service'],
  ['a broken connection', { breakOff: true }, 'Could not reach'],
])('skillpass mcp turns %s into a JSON-RPC error and continues', async (_, reply, text) => {
  const { code, messages, received } = await run(call + call.replace('1', '2'), () => reply)
  expect(code).toBe(0)
  expect(messages.map(({ id }) => id).sort()).toEqual([1, 2])
  for (const { error } of messages) {
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining(text) })
  }
  expect(received).toHaveLength(2)
})

test('skillpass mcp prints a JSON-RPC error of the registry with the id of the request', async () => {
  const error = { code: -32022, message: 'Unsupported protocol version' }
  const body = { jsonrpc: '2.0', id: null, error }
  expect((await run(list, () => ({ status: 400, body }))).messages).toEqual([
    { jsonrpc: '2.0', id: 1, error },
  ])
})

test('skillpass mcp answers a malformed line with a parse error and an unsent notification on stderr', async () => {
  const { messages } = await run(`x\n[]\n${list}`)
  expect(messages.map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [null, -32700],
    [1, undefined],
  ])
  const notification = message({ method: 'notifications/initialized' })
  const refused = await run(notification, () => ({ status: 403, body: failure('FORBIDDEN') }))
  expect([refused.out, refused.err]).toEqual(['', 'skillpass mcp: This is FORBIDDEN.\n'])
})

test('skillpass mcp aborts a cancelled request, and subscriptions at the end of stdin, without a response', async () => {
  let open = 0
  let closed = 0
  const { url } = await serveHttp((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    open++
    response.on('close', () => closed++)
  })
  const input = new PassThrough()
  const ran = runSkillpass(['mcp'], { env: { SKILLPASS_URL: url }, input })
  input.write(call)
  input.write(message({ id: 2, method: 'subscriptions/listen' }))
  await until('both requests arrive', () => open === 2)
  input.write(message({ method: 'notifications/cancelled', params: { requestId: 1 } }))
  await until('the request is aborted', () => closed === 1)
  input.end()
  expect(await ran).toEqual({ code: 0, out: '', err: '' })
  await until('the subscription ends', () => closed === 2)
})
