import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LoggedRequest } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { callback, generalApp } from '../support/apps.ts'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { operate } from '../support/commands.ts'
import { hasProgram } from '../support/lacking.ts'
import { read, serverAt } from '../support/oauth-client.ts'
import { freePort, serverCommand } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { wide } from '../support/settings.ts'
import { until } from '../support/waiting.ts'

const email = 'owner@acme.test'
const seed = {
  accounts: [{ name: 'Acme', users: [{ email, role: 'owner' }] }],
  apps: [generalApp('Scheduler', ['user:read:user'])],
}

const file = join(await temporaryFolder(), 'seed.json')
await writeFile(file, JSON.stringify(seed))

/** Starts the command and waits until it prints its address. */
async function startDouble(...options: string[]) {
  const port = await freePort()
  const args = [serverCommand, 'double', '--port', String(port), ...options]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', COLUMNS: wide },
  })
  const ended = once(child, 'close')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    return ended
  }
  await until(
    'the double starts',
    () => printed.includes('/double/seeded') || child.exitCode !== null,
  )
  return { url: `http://127.0.0.1:${port}`, output: () => printed, stop }
}

const double = await startDouble('--seed', file)
afterFile(() => double.stop('SIGKILL'))
const server = serverAt(double.url)
const get = (path: string) => read(server.http(path))
const post = (path: string, body: object = {}) =>
  read(
    server.http(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )

/** Refreshes after an hour, meets a fault, and reads the log. */
const script = `
import json, sys, requests

url, callback = sys.argv[1:]
email = 'ada@globex.test'

def control(path, **body):
    answer = requests.post(f'{url}/double/{path}', json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()

seeded = control('seed',
    accounts=[{'name': 'Globex', 'users': [{'email': email}]}],
    apps=[{'name': 'Planner', 'account': 'Globex', 'type': 'general', 'scopes': ['user:read:user'],
           'redirectUris': [callback]}])
planner = seeded['apps']['Planner']

def token(**form):
    basic = (planner['clientId'], planner['clientSecret'])
    return requests.post(f'{url}/oauth/token', data=form, auth=basic)

def me(tokens):
    bearer = {'Authorization': f'Bearer {tokens["access_token"]}'}
    return requests.get(f'{url}/v2/users/me', headers=bearer).status_code

code = control('authorize', app='Planner', user=email)['code']
tokens = token(grant_type='authorization_code', code=code, redirect_uri=callback).json()
statuses = [me(tokens)]
control('clock', advance={'hours': 1})
statuses.append(me(tokens))
control('faults', route='POST /oauth/token', status=503, retryAfter=7)
refused = token(grant_type='refresh_token', refresh_token=tokens['refresh_token'])
tokens = token(grant_type='refresh_token', refresh_token=tokens['refresh_token']).json()
statuses.append(me(tokens))
log = requests.get(f'{url}/double/requests', params={'app': 'Planner', 'status': 503}).json()
print(json.dumps({'statuses': statuses, 'wait': refused.headers['Retry-After'], 'log': log}))
`

const hasRequests = hasProgram('python3', '-c', 'import requests')

test.skipIf(!hasRequests)(
  'requests of Python drives the seed, users, the clock, faults and the log of a double',
  async () => {
    const { stdout } = await promisify(execFile)('python3', ['-c', script, double.url, callback])
    const { statuses, wait, log } = JSON.parse(stdout)
    expect({ statuses, wait }).toEqual({ statuses: [200, 401, 200], wait: '7' })
    expect(log).toEqual([
      expect.objectContaining({ route: 'oauth.token', app: 'Planner', status: 503 }),
    ])
    expect(JSON.stringify(log)).not.toMatch(/srt_\w{20}/)
  },
)

test('the double serves what its file declares, and a reset brings the same secrets back', async () => {
  await post('/double/seed', seed)
  const { body: seeded } = await get('/double/seeded')
  expect(seeded).toMatchObject({ apps: { Scheduler: { clientSecret: expect.any(String) } } })
  await post('/double/clock', { advance: '2d', frozen: true })
  expect((await post('/double/reset')).body).toEqual(seeded)
  expect((await get('/double/clock')).body).toMatchObject({ frozen: false })
})

test('the clock is set, stands still and moves over HTTP', async () => {
  const set = { set: '2030-01-01T00:00:00.000Z', frozen: true }
  expect((await post('/double/clock', set)).body).toEqual({ now: set.set, frozen: true })
  const { body } = await post('/double/clock', { advance: '90s' })
  expect(body).toEqual({ now: '2030-01-01T00:01:30.000Z', frozen: true })
  expect((await get('/double/clock')).body).toEqual(body)
  expect((await post('/double/clock', { frozen: false })).body).toMatchObject({ frozen: false })
  await post('/double/reset')
})

test('a request that was waited for is not returned again', async () => {
  await get('/v2/users/me')
  const next = () => get('/double/requests/next?route=GET%20/v2/users/me&timeout=1')
  expect((await next()).body satisfies Partial<LoggedRequest>).toMatchObject({ status: 401 })
  expect(await next()).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
})

test.each<[string, object, string]>([
  ['/double/seed', { acounts: [] }, 'acounts'],
  ['/double/seed', { agents: [{ username: 'x' }] }, 'agents.0.username'],
  ['/double/seed', { meetings: [{ host: 'nobody@acme.test' }] }, 'meetings.0'],
  ['/double/clock', { advance: '1 fortnight' }, 'advance'],
  ['/double/clock', { set: 'tomorrow' }, 'set'],
  ['/double/faults', { route: 'POST /oauth/token', status: 200 }, 'status'],
  ['/double/authorize', { app: 'Scheduler' }, 'user'],
  ['/double/webhooks/release', { copies: 0 }, 'copies'],
  ['/double/meetings/12345678901/join', {}, 'name'],
])('POST %s with %j is refused with the place %s', async (path, body, place) => {
  expect(await post(path, body)).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: place }] } },
  })
})

test.each<[string, object]>([
  ['/double/authorize', { app: 'Scheduler', user: 'nobody@acme.test' }],
  ['/double/removed-apps', { app: 'Nothing', user: email }],
  ['/double/devices', { userCode: 'WDJB-MJHT', user: email, decision: 'approve' }],
  ['/double/webhooks/00000000-0000-4000-8000-000000000000/redeliver', {}],
  ['/double/meetings/12345678901/start', {}],
])('POST %s with %j is answered with 404 and the reason', async (path, body) => {
  await post('/double/seed', seed)
  expect(await post(path, body)).toMatchObject({
    status: 404,
    body: { error: { code: 'NOT_FOUND', message: expect.stringMatching(/^(There|No|The) /) } },
  })
})

test('the controls are documented by the double and no other server', async () => {
  const normal = await startTestServer()
  const document = (await get('/openapi.json')).body
  expect(document).toMatchObject({ paths: { '/double/clock': {}, '/oauth/token': {} } })
  expect((await get('/docs')).text).toContain('/double/clock')
  expect(await (await normal.http('/openapi.json')).text()).not.toContain('/double/')
  expect(await (await normal.http('/docs')).text()).not.toContain('/double/')
  expect((await normal.http('/double/seeded')).status).toBe(404)
})

test('SIGTERM stops the command double', async () => {
  const { stop, output } = await startDouble()
  expect(await stop('SIGTERM')).toEqual([0, null])
  expect(output()).toMatch(/^The double listens on http:\/\/127\.0\.0\.1:\d+\. .*\n$/)
})

test('the command double is refused in production', async () => {
  const { code, err } = await operate({ url: '', env: { NODE_ENV: 'production' } }, 'double')
  expect({ code, err }).toEqual({
    code: 1,
    err: 'A double is for tests, but NODE_ENV is production.\n',
  })
})

test('the command double prints the problems of its file, one in each line', async () => {
  await writeFile(file, JSON.stringify({ acounts: [], meetings: [{ host: email, id: 1 }] }))
  const { code, err } = await operate({ url: '' }, 'double', '--seed', file)
  expect({ code, err }).toEqual({
    code: 1,
    err: 'acounts: is not a known field; did you mean accounts?\nmeetings[0].id: must have 10 or 11 digits\n',
  })
})
