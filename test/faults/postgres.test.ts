import { execFile } from 'node:child_process'
import { chown, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../support/cleanup.ts'
import { createTestDatabase, engines, type TestDatabase } from '../support/databases.ts'
import { noteLack } from '../support/lacking.ts'
import { serverAt } from '../support/oauth-client.ts'
import { admin, runOn } from '../support/postgres.ts'
import { freePort, readMetrics, type ServerProcess, startProcess } from '../support/processes.ts'
import { seededRandom } from '../support/random.ts'
import { reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { ask } from '../support/skills.ts'
import { until } from '../support/waiting.ts'
import { prepareFixture } from './load/fixture.ts'
import type { Load } from './load/load.ts'
import { startMixedLoad } from './load/mixed-load.ts'
import { startPausingProxy } from './pausing-proxy.ts'

const run = promisify(execFile)

/** Folder of Debian's Postgres versions, which are not in PATH. */
const versions = '/usr/lib/postgresql'

/** The user that runs Postgres if the tests run as root, because Postgres refuses root. */
const account = 'postgres'
const isRoot = process.getuid?.() === 0

/** Folder of the newest Postgres. Undefined without an installation or a user to run it. */
const clusterPrograms: string | undefined = await findPrograms()
if (!clusterPrograms) noteLack(`initdb in ${versions}`, 'apt-get install postgresql')

async function findPrograms(): Promise<string | undefined> {
  const names = await readdir(versions).catch((): string[] => [])
  const [newest] = names.sort((a, b) => Number(b) - Number(a))
  if (newest === undefined) return undefined
  const folder = join(versions, newest, 'bin')
  const answers = await runProgram(folder, 'initdb', '--version').then(
    () => true,
    () => false,
  )
  return answers ? folder : undefined
}

/** Runs a Postgres program as a user other than root. */
function runProgram(folder: string, name: string, ...args: string[]) {
  const program = join(folder, name)
  const [command, ...rest] = isRoot
    ? ['runuser', '-u', account, '--', program, ...args]
    : [program, ...args]
  return run(command ?? program, rest, { cwd: '/' })
}

/**
 * Starts a separate Postgres that a test may stop, because the other tests share theirs. `fast`
 * ends sessions and writes a checkpoint; `immediate` requires recovery at the next start.
 */
async function createCluster() {
  const programs = clusterPrograms
  if (programs === undefined) throw new Error('There are no programs of Postgres.')
  const folder = await makeFolder()
  if (isRoot) {
    const id = async (kind: string) => Number((await run('id', [kind, account])).stdout)
    await chown(folder.path, await id('-u'), await id('-g'))
  }
  const data = join(folder.path, 'data')
  const port = await freePort()
  await runProgram(programs, 'initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync')
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  const control = async (...args: string[]) => {
    await runProgram(programs, 'pg_ctl', '-D', data, '-w', ...args)
  }
  const start = () => control('-l', join(folder.path, 'log'), '-o', options, 'start')
  const stop = (mode: 'fast' | 'immediate') => control('-m', mode, 'stop')
  await start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    remove: async () => {
      await stop('immediate').catch(() => {})
      await folder.remove()
    },
  }
}

const rounds = roundsOf(1)

/** Allowed statuses during a fault: 503 but never 500, and 400 after a lost refresh response. */
const answersOfFaults = /^(2..|303|400|409|503)$/

/** Causes a fault of a server under load, and checks that no acknowledged write is lost. */
async function underLoad(
  database: { url: string; remove(): Promise<void> },
  what: string,
  expected: RegExp,
  fault: (load: Load, server: ServerProcess) => Promise<unknown>,
  prepare?: string,
) {
  const server = await startProcess({ databaseUrl: database.url, env: { LOG_LEVEL: 'fatal' } })
  try {
    const fixture = await prepareFixture(database.url, server.url)
    if (prepare !== undefined) await runOn(database.url, prepare)
    const load = await startMixedLoad({ url: server.url, fixture, seed })
    const count = await fault(load, server)
    await load.untilMore(30)
    await load.stop()
    expect(server.isAlive()).toBe(true)
    const { checked, lost } = await load.verify(database.url, server.url)
    reportFigure(
      `${count} ${what}: ${load.acknowledged()} writes acknowledged, ${checked} checks, ${lost.length} lost; responses by status ${JSON.stringify(load.responses)}`,
    )
    expect([...lost, ...load.broken]).toEqual([])
    expect(Object.keys(load.responses).filter((status) => !expected.test(status))).toEqual([])
    expect(count).toBeGreaterThan(0)
  } finally {
    await server.end('SIGTERM')
    await database.remove()
  }
}

const untilReady = ({ url }: ServerProcess) =>
  until('the server is ready', async () => (await fetch(`${url}/health/ready`)).ok)

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1)
const killBackends = (database: TestDatabase) =>
  admin(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${nameOf(database)}'`,
  )

/**
 * Injects a serialization failure into one changed row in twenty, and into one commit in twenty
 * that created a skill or a grant. A sequence counts, because a rollback does not reset it.
 */
const conflicts = `
  create sequence injected_conflicts;
  create function inject_conflict() returns trigger language plpgsql as $$
  begin
    if random() < 0.05 then
      perform nextval('injected_conflicts');
      raise exception 'could not serialize access' using errcode = '40001';
    end if;
    return coalesce(new, old);
  end $$;
  do $$
  declare name text;
  begin
    for name in select tablename from pg_tables
      where schemaname = 'public' and tablename <> 'schema_migrations' loop
      execute format('create trigger conflict before insert or update or delete on %I
        for each row execute function inject_conflict()', name);
    end loop;
    foreach name in array array['skills', 'grants'] loop
      execute format('create constraint trigger conflict_at_commit after insert on %I
        deferrable initially deferred for each row execute function inject_conflict()', name);
    end loop;
  end $$`

describe.skipIf(!engines.includes('postgres'))('Postgres under load', () => {
  test('Postgres backends killed under load end no process and lose no acknowledged write', async () => {
    const database = await createTestDatabase('postgres')
    await underLoad(database, 'backends killed', answersOfFaults, async (load, server) => {
      await load.untilMore(50)
      let killed = 0
      // Repeat until a kill interrupts a request, which gets a 503.
      for (let round = 0; round < rounds || !load.responses['503']; round++) {
        killed += (await killBackends(database)).length
        await load.untilMore(10)
      }
      await untilReady(server)
      return killed
    })
  })

  test('serialization failures are retried: no caller sees one and no acknowledged write is lost', async () => {
    const database = await createTestDatabase('postgres')
    const what = 'serialization failures'
    const inject = async (load: Load) => {
      await load.untilMore(40 * rounds)
      const [row] = await runOn(database.url, 'select last_value from injected_conflicts')
      return Number(row?.last_value)
    }
    await underLoad(database, what, /^(2..|303|409)$/, inject, conflicts)
  })

  test.skipIf(clusterPrograms === undefined)(
    'a server whose Postgres restarts under load stays alive and loses no acknowledged write',
    async () => {
      const random = seededRandom(seed)
      const cluster = await createCluster()
      await underLoad(cluster, 'restarts', answersOfFaults, async (load, server) => {
        for (let round = 0; round < rounds; round++) {
          await load.untilMore(50 + random() * 150)
          await pause(random() * 10)
          await cluster.stop(round % 2 === 0 ? 'immediate' : 'fast')
          await pause(random() * 500)
          await cluster.start()
          await untilReady(server)
        }
        return rounds
      })
    },
  )

  test('a server cut off from Postgres serves reads from memory, and loses no acknowledged write', async () => {
    const database = await createTestDatabase('postgres')
    const proxy = await startPausingProxy(database.url)
    const remove = () => proxy.close().then(database.remove)
    await underLoad({ url: proxy.url, remove }, 'cuts', answersOfFaults, async (load, server) => {
      const isAway = async () =>
        (await readMetrics(server.url)).includes('skillpass_away{service="postgres"} 1\n')
      for (let round = 0; round < rounds; round++) {
        await load.untilMore(50)
        const { 503: before = 0 } = load.responses
        proxy.pause()
        await until('requests are refused', () => (load.responses['503'] ?? 0) > before + 20)
        await until('the metrics show the outage', isAway)
        const { total } = await (await fetch(`${server.url}/api/v1/skills/search`)).json()
        expect(total).toBeGreaterThan(0)
        proxy.resume()
        await untilReady(server)
        await until('the metrics show its end', async () => !(await isAway()))
      }
      return rounds
    })
  })

  test('an outage of Postgres is logged once when it begins and once when it ends', async () => {
    const database = await createTestDatabase('postgres')
    const name = nameOf(database)
    const allow = (may: boolean) => admin(`alter database "${name}" allow_connections ${may}`)
    const server = await startProcess({ databaseUrl: database.url, env: { LOG_LEVEL: 'info' } })
    const at = serverAt(server.url)
    const times = (line: string) => server.output().split(line).length - 1
    const register = (username: string) =>
      ask(at, 'POST', '/api/v1/agents/register', { body: { username } })
    try {
      await allow(false)
      // More requests than open connections: some need a new one.
      await Promise.all(Array.from({ length: 12 }, (_, i) => register(`early-${i}`)))
      await killBackends(database)
      await until('it is away', () => times(' is away') > 0)
      for (let i = 0; i < 5; i++) {
        expect((await register('late')).status).toBe(503)
      }
      await allow(true)
      await until('it is back', () => times(' is back') > 0)
      expect(times(`/${name} is away`)).toBe(1)
      expect(times(`/${name} is back`)).toBe(1)
      expect(server.output()).not.toContain('failed')
    } finally {
      await allow(true)
      await server.end('SIGTERM')
      await database.remove()
    }
  })
})
