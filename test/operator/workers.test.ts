import { request } from 'node:http'
import { createClient } from '@skillpass/client'
import { loadConfig } from '@skillpass/server/config/config'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createServerDatabase, engines } from '../support/databases.ts'
import {
  type ProcessOptions,
  readMetrics,
  runCommand,
  type ServerProcess,
  startProcess,
} from '../support/processes.ts'
import { until } from '../support/waiting.ts'

/** Sends a request over a new connection, which the next worker gets; undefined if it broke. */
const ask = (url: string) =>
  new Promise<number | undefined>((resolve) => {
    const asked = request(url, { agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode))
    })
    asked.once('error', () => resolve(undefined)).end()
  })

/** The processes that have logged requests. */
const answering = ({ output }: ServerProcess) =>
  new Set(
    output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => Number(JSON.parse(line).pid)),
  )

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.skipIf(!engines.includes('postgres'))('WORKERS=2 on Postgres', async () => {
  const database = await createServerDatabase('postgres')
  const workers: ProcessOptions = {
    databaseUrl: database.url,
    env: { WORKERS: '2', LOG_LEVEL: 'debug' },
  }
  const started: ServerProcess[] = []
  const startWorkers = async () => {
    const server = await startProcess(workers)
    started.push(server)
    return server
  }
  afterAll(async () => {
    for (const server of started) if (server.isAlive()) await server.end('SIGKILL')
    await database.remove()
  })

  /** Waits until so many workers answer, and returns their ids. */
  async function untilAnswering(server: ServerProcess, count: number) {
    await until(`${count} workers answer`, async () => {
      await ask(`${server.url}/health/live`)
      return answering(server).size >= count
    })
    return answering(server)
  }

  let server: ServerProcess
  beforeAll(async () => {
    server = await startWorkers()
  })

  test('both workers answer requests, and the primary does not', async () => {
    const pids = await untilAnswering(server, 2)
    expect(pids.size).toBe(2)
    expect([...pids]).not.toContain(server.pid)
  })

  test('/metrics is the sum of both workers, whichever answers', async () => {
    const live = async () => {
      const line = /skillpass_http_request_seconds_count\{.*route="\/health\/live".*\} (\d+)/
      return Number(line.exec(await readMetrics(server.url))?.[1])
    }
    const before = await live()
    for (let i = 0; i < 10; i++) expect(await ask(`${server.url}/health/live`)).toBe(200)
    expect(await live()).toBe(before + 10)
    const metrics = await readMetrics(server.url)
    expect(metrics.match(/^skillpass_skills \d+$/gm)).toHaveLength(1)
    expect(metrics).toMatch(/^process_resident_memory_bytes \d/m)
  })

  test('a skill that one worker publishes is served by both', async () => {
    const { registry } = createClient({ timeoutMs: 0, baseUrl: server.url, retries: 0 })
    const { data } = await registry.agents.register({ body: { username: 'of-workers' } })
    const agent = createClient({
      timeoutMs: 0,
      baseUrl: server.url,
      apiKey: data.apiKey,
      retries: 0,
    })
    const body = { name: 'Of one', slug: 'of-one', readme: '# Of one' }
    const skill = await agent.registry.skills.publish({ body })
    await until('both have the skill', async () => {
      const path = `${server.url}/api/v1/skills/${skill.data.id}`
      const codes = await Promise.all(Array.from({ length: 4 }, () => ask(path)))
      return codes.every((code) => code === 200)
    })
  })

  test('a second primary on the same port prints that the port is in use, once, and ends with 1', async () => {
    const { code, stderr } = await runCommand(['serve'], {
      ...workers,
      port: server.port,
      env: { WORKERS: '2' },
    })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${server.port} of 127.0.0.1 is already in use. Set PORT to a free one.\n`,
    })
  })

  test('a killed worker is replaced while the other answers', async () => {
    const [killed = 0] = answering(server)
    // Stopped first, so that a connection is on its way to it when it dies.
    process.kill(killed, 'SIGSTOP')
    const asked = Array.from({ length: 6 }, () => ask(`${server.url}/api/v1/health`))
    await Promise.race(asked)
    process.kill(killed, 'SIGKILL')
    const codes = await Promise.all(asked)
    expect(codes).toContain(undefined)
    await until('a third worker answers', async () => {
      codes.push(await ask(`${server.url}/api/v1/health`))
      return answering(server).size === 3
    })
    // Only the request of the killed worker breaks off; none reaches a worker that is starting.
    expect(codes.filter((code) => code !== 200)).toEqual([undefined])
    expect(server.output()).toMatch(
      new RegExp(`"level":50.*"worker":${killed}.*"a worker has died, replacing it"`),
    )
  })

  test('SIGTERM ends the primary and both workers with 0', async () => {
    const pids = answering(server)
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null })
    expect([...pids].filter(isRunning)).toEqual([])
  })

  test('no worker outlives a primary that was killed', async () => {
    const other = await startWorkers()
    const pids = await untilAnswering(other, 2)
    process.kill(other.pid, 'SIGKILL')
    await until('the workers end', () => ![...pids].some(isRunning))
  })
})

test('WORKERS=2 is refused on SQLite with the reason', async () => {
  const database = await createServerDatabase('sqlite')
  onTestFinished(database.remove)
  const { code, stdout, stderr } = await runCommand(['serve'], {
    databaseUrl: database.url,
    env: { WORKERS: '2' },
  })
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'WORKERS needs Postgres: on SQLite one process gathers all writes into few commits, which several would take turns at. Unset WORKERS, or set DATABASE_URL to postgres://….\n',
  })
})

test.each(['0', 'abc', '-1', '1.5', '129', 'AUTO'])('WORKERS=%s is refused', (WORKERS) => {
  expect(() => loadConfig({ WORKERS })).toThrow(
    'WORKERS must be auto or a whole number from 1 to 128.',
  )
})
