import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { hasProgram } from '../support/lacking.ts'
import { freePort, serverCommand, startProcess } from '../support/processes.ts'
import { until } from '../support/waiting.ts'

const folder = await temporaryFolder()
const hasTerminals = hasProgram('script', '--version')

test('the log is JSON if its output is not a terminal', async () => {
  const databaseUrl = `file:${join(folder, 'json.db')}`
  const server = await startProcess({ databaseUrl, env: { LOG_LEVEL: 'info' } })
  await fetch(`${server.url}/api/v1/skills/search`)
  await server.end('SIGTERM')
  const entry = /^\{.*"route":"\/api\/v1\/skills\/search".*\}$/m.exec(server.output())?.[0]
  expect(JSON.parse(entry ?? '')).toMatchObject({ level: 30, method: 'GET', status: 200 })
})

test.each(['info', 'debug'])('only the level debug logs health probes: %s', async (LOG_LEVEL) => {
  const databaseUrl = `file:${join(folder, `${LOG_LEVEL}.db`)}`
  const server = await startProcess({ databaseUrl, env: { LOG_LEVEL } })
  const probes = ['/health/live', '/health/ready', '/metrics', '/api/v1/health']
  for (const path of probes) await fetch(server.url + path)
  await server.end('SIGTERM')
  const logged = probes.filter((path) => server.output().includes(`"route":"${path}"`))
  expect(logged).toEqual(LOG_LEVEL === 'debug' ? probes : [])
})

test.skipIf(!hasTerminals)('a terminal shows one readable line per request', async () => {
  const port = await freePort()
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    DATABASE_URL: `file:${join(folder, 'terminal.db')}`,
  }
  const command = `exec "${process.execPath}" "${serverCommand}" serve`
  const terminal = spawn('script', ['-qec', command, '/dev/null'], { env, cwd: folder })
  onTestFinished(() => void terminal.kill())
  let screen = ''
  terminal.stdout.setEncoding('utf8').on('data', (text) => {
    screen += text
  })
  const search = () => fetch(`http://127.0.0.1:${port}/api/v1/skills/search?q=secret`)
  await until('the server responds', () =>
    search().then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  await until('the log line', () => screen.includes('skills/search'))
  expect(screen).toMatch(
    /^\[?\d\d:\d\d:\d\d\]? INFO.* GET \/api\/v1\/skills\/search 200 [\d.]+ ms\r?$/m,
  )
  expect(screen).not.toMatch(/secret|requestId|\{"level/)
})
