import { writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { addUser } from '../support/apps.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { hookApp } from '../support/hooked-apps.ts'
import { serveHttp } from '../support/http-server.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { startTestServer } from '../support/server.ts'
import { unique } from '../support/skills.ts'
import { until } from '../support/waiting.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'
const traceparent = `00-${traceId}-${spanId}-01`

const lines: string[] = []
const log = pino({ base: null, level: 'debug' }, { write: (line) => void lines.push(line) })
const server = await startTestServer({ log })

test.each([
  ['is valid', [traceparent], traceId],
  ['is missing', [], undefined],
  ['is repeated', [traceparent, traceparent], undefined],
  ['is in upper case', [traceparent.toUpperCase()], undefined],
  ['has a trace id of zeros', [`00-${'0'.repeat(32)}-${spanId}-01`], undefined],
])('the log has the trace id only of a valid traceparent: %s', async (_, given, id) => {
  const requestId = unique('request-of-the-test')
  const headers = new Headers([['x-request-id', requestId]])
  for (const value of given) headers.append('traceparent', value)
  const response = await server.http('/health/live', { headers })
  const find = () => lines.find((line) => line.includes(requestId))
  await until('the line', () => find() !== undefined)
  expect(JSON.parse(find() ?? '').traceId).toBe(id)
  expect(JSON.stringify([...response.headers])).not.toContain(traceId)
})

describe('outgoing requests', async () => {
  const requests: IncomingMessage[] = []
  const upstream = await serveHttp((req, res) => {
    requests.push(req)
    res.end('no token')
  })
  const server = await startOAuthServer({
    env: { VERIFICATION_FILE_URL: `${upstream.url}/{owner}/{repo}` },
  })
  const receiver = await startReceiver()

  test('every webhook attempt has the traceparent of the request that caused its event', async () => {
    const token = await server.ownTokenOf('Remover', 'Acme')
    const app = await hookApp(server, receiver)
    const email = `${unique('leaver')}@acme.test`
    const id = await addUser(server, email)
    await server.grantOf(app, { email })
    let attempts = 0
    receiver.answer(app.path, (response) => response.writeHead(++attempts === 1 ? 500 : 200).end())
    const removed = await server.http(`/v2/users/${id}`, {
      method: 'DELETE',
      headers: { traceparent, authorization: `Bearer ${token}` },
    })
    expect(removed.status).toBe(204)
    await until('both attempts', () => {
      // The sender schedules the second attempt 5 minutes after it has recorded the first.
      server.clock.advance(60_000)
      return receiver.deliveries(app.path).length >= 2
    })
    for (const { headers } of receiver.deliveries(app.path)) {
      expect(headers.traceparent).toBe(traceparent)
    }
  })

  test('the request for a verification file has the traceparent of the request that starts the check', async () => {
    const [owner, folder] = [unique('acme'), await temporaryFolder()]
    await writeFile(
      join(folder, 'SKILL.md'),
      '---\nname: m\ndescription: Melts wax.\n---\n# Melt\n',
    )
    await server.operate('import', folder, '--owner', owner, '--repo', 'tools')
    const { client, apiKey } = await server.agent()
    const body = { method: 'file', owner, repo: 'tools' } as const
    const { data } = await client.registry.verifications.create({ body })
    const checked = await server.http(`/api/v1/agents/me/verifications/${data.id}/check`, {
      method: 'POST',
      headers: { traceparent, authorization: `Bearer ${apiKey}` },
    })
    expect(checked.status).toBe(409)
    expect(requests[0]?.headers.traceparent).toBe(traceparent)
  })
})
