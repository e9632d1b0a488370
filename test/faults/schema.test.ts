import { returnsPage } from '@skillpass/contract'
import { migrations, openDatabase } from '@skillpass/server/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { operate } from '../support/commands.ts'
import { breach, fillPath, nameOf, routes } from '../support/contract.ts'
import { createServerDatabase, engines, type TestDatabase } from '../support/databases.ts'
import { runCommand } from '../support/processes.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { serverForTest } from '../support/skills.ts'
import { eventually } from '../support/waiting.ts'

/** Runs statements on a separate connection, as somebody else would. */
async function change({ url }: TestDatabase, ...statements: string[]): Promise<void> {
  const db = await openDatabase(url)
  for (const statement of statements) {
    await db.write((trx) => sql.raw(statement).execute(trx), { isLong: true })
  }
  await db.close()
}

/** Statements that damage a schema, what the server says then, and statements that mend it. */
const damages: [name: string, damage: string[], reason: RegExp, repair: string[]][] = [
  [
    'lacks a table',
    ['alter table meetings rename to gone'],
    /meetings/,
    ['alter table gone rename to meetings'],
  ],
  [
    'lacks a column',
    ['alter table apps rename column name to gone'],
    /name/,
    ['alter table apps rename column gone to name'],
  ],
  [
    'has no migrations',
    ['alter table schema_migrations rename to gone'],
    /schema_migrations/,
    ['alter table gone rename to schema_migrations'],
  ],
  [
    'is too old',
    ['create table old as select * from schema_migrations', 'delete from schema_migrations'],
    /older .*0001-baseline/,
    ['insert into schema_migrations select * from old'],
  ],
  [
    'is too new',
    ["insert into schema_migrations values ('9999-later', 1)"],
    /newer .*9999-later/,
    ["delete from schema_migrations where name = '9999-later'"],
  ],
  [
    'has lost its only rows',
    ['create table kept as select * from registry_revision', 'delete from registry_revision'],
    /registry_revision/,
    ['insert into registry_revision select * from kept'],
  ],
]

const pages = ['/', '/search?q=x', '/sign-in', '/docs', '/console', '/llms.txt', '/openapi.json']
const json = async (server: TestServer, path: string) => {
  const response = await server.http(path)
  return { status: response.status, body: await response.json() }
}

describe.each(engines)('a live server on %s', async (engine) => {
  const server = await startTestServer({ engine, env: { DYNAMIC_CLIENT_REGISTRATION: 'on' } })

  test.each(damages)(
    'whose database %s answers everything with 503 and the reason, and recovers',
    async (_, damage, reason, repair) => {
      await change(server.database, ...damage)
      const ready = await json(server, '/health/ready')
      expect(ready).toMatchObject({ status: 503, body: { waitingFor: ['schema'] } })
      expect(ready.body.reason).toMatch(reason)
      expect(await json(server, '/api/v1/health')).toMatchObject({
        status: 503,
        body: { status: 'unavailable', reason: ready.body.reason },
      })
      expect((await server.http('/health/live')).status).toBe(200)
      // One check decides for every route, so one damage is tried on all of them.
      const isFirst = damage === damages[0]?.[1]
      const asked = routes.filter(
        ({ path }, at) => path !== '/api/v1/health' && (isFirst || at % 10 === 0),
      )
      for (const route of asked) {
        const { method } = route
        const accept = returnsPage(route) ? 'text/html' : 'application/json'
        const path = fillPath(route, {}).replaceAll('undefined', 'x')
        const response = await server.http(path, { method, headers: { accept } })
        const [{ status, headers }, text] = [response, await response.text()]
        const why = `${nameOf(route)}: ${text}`
        expect(status, why).toBe(503)
        expect(text, why).toMatch(reason)
        expect(Number(headers.get('retry-after')), why).toBeGreaterThan(0)
        if (!returnsPage(route))
          expect(breach(undefined, { status, type: 'json', text, path: route.path }), why).toBe(
            undefined,
          )
      }
      for (const path of pages) {
        const response = await server.http(path, { headers: { accept: 'text/html' } })
        expect([path, response.status]).toEqual([path, 503])
        expect(await response.text()).toMatch(reason)
      }
      await change(server.database, ...repair)
      expect((await json(server, '/health/ready')).status).toBe(200)
      expect((await server.http('/api/v1/skills/search')).status).toBe(200)
    },
  )

  test('notices a damaged schema before anybody asks for its health', async () => {
    const search = async () => (await server.http('/api/v1/skills/search')).status
    await change(server.database, 'alter table agents rename to gone')
    expect((await server.http('/api/v1/agents/0199d0a7-5b1c-7000-8000-000000000000')).status).toBe(
      503,
    )
    await eventually(async () => expect(await search()).toBe(503))
    await change(server.database, 'alter table gone rename to agents')
    await eventually(async () => expect(await search()).toBe(200))
  })

  test('whose database was replaced by another one asks for a restart', async () => {
    const replaced = await serverForTest({ engine })
    await change(replaced.database, 'update registry_revision set passage_key = 2')
    const { status, body } = await json(replaced, '/health/ready')
    expect([status, body.reason]).toEqual([503, expect.stringContaining('Restart')])
  })
})

describe.each(engines)('migrate down on %s', (engine) => {
  const run = ({ url }: TestDatabase, args: string[], NODE_OPTIONS = '') =>
    runCommand(['migrate', ...args], { databaseUrl: url, env: { NODE_OPTIONS } })
  const later = `--import=${new URL('../db/later-migration.js', import.meta.url).href}`

  test('never undoes the baseline', async () => {
    const database = await createServerDatabase(engine)
    const down = (...args: string[]) => operate(database, 'migrate', 'down', ...args)
    for (const _ of migrations.slice(1)) expect((await down('--yes')).code).toBe(0)
    for (const args of [['--yes'], [], ['--yes', '--json']]) {
      const { code, out, err } = await down(...args)
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(/0001-baseline cannot be undone/)
    }
    const server = await serverForTest({ database })
    expect((await server.http('/health/ready')).status).toBe(200)
    await server.end()
    await database.remove()
  })

  test('waits for no server, and names what it deletes', async () => {
    const database = await createServerDatabase(engine)
    const [first, second] = [
      await startTestServer({ database }),
      await startTestServer({ database }),
    ]
    await first.agent()
    expect((await run(database, ['up'], later)).stdout).toBe('Applied: 0999-later\n')
    expect((await json(first, '/health/ready')).body.reason).toMatch(/newer .*0999-later/)
    for (const [server, left] of [
      [first, /^2 servers use/],
      [second, /^1 server uses/],
    ] as const) {
      const refused = await run(database, ['down', '--yes'], later)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(left)])
      await server.stop()
    }
    const lost = 'the column agents.later (1 value) and the table later_notes (2 rows)'
    const asked = await run(database, ['down'], later)
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining(lost)])
    const { stdout } = await run(database, ['down', '--yes'], later)
    expect(stdout).toBe(`Undone: 0999-later. Deleted: ${lost}.\n`)
    expect((await operate(database, 'migrate', 'status')).out).not.toContain('later')
    await database.remove()
  })

  test('is possible a minute after a server has crashed', async () => {
    const database = await createServerDatabase(engine)
    await run(database, ['up'], later)
    const insert = (age: number) =>
      change(database, `insert into schema_users values ('${age}', 'crashed', ${Date.now() - age})`)
    await insert(70_000)
    expect((await run(database, ['down', '--yes'], later)).code).toBe(0)
    await database.remove()
  })
})
