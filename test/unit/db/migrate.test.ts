import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrations } from '@skillpass/server/db/migrations/index'
import { migrateDown, migrateUp, migrationStatus } from '@skillpass/server/db/migrations/migrate'
import { type Database, openDatabase } from '@skillpass/server/db/open'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, engines } from '../../support/databases.ts'
import { seededRandom } from '../../support/random.ts'
import { reportFigure, roundsOf, seed } from '../../support/rounds.ts'

const all = migrations.map(({ name }) => name)
const rounds = roundsOf(1)
const run = promisify(execFile)
const script = fileURLToPath(new URL('./migrate-process.ts', import.meta.url))

describe.each(engines)('migrations on %s', (engine) => {
  let url: string
  let cleanUp: (() => Promise<void>)[]

  beforeEach(async () => {
    const database = await createTestDatabase(engine)
    url = database.url
    cleanUp = [database.remove]
  })
  afterEach(async () => {
    for (const step of cleanUp.reverse()) await step()
  })

  const open = async () => {
    const db = await openDatabase(url)
    cleanUp.push(() => db.close())
    return db
  }
  const flagsFor = (...more: string[]) => [
    ...['--import', 'tsx', '--conditions=@skillpass/source', script],
    ...more,
  ]
  const migrateInProcess = async (...more: string[]) => {
    const { stdout } = await run(process.execPath, flagsFor(url, ...more))
    return JSON.parse(stdout) as string[]
  }

  test('apply once, and a second run finds nothing to do', async () => {
    const db = await open()
    expect(await migrationStatus(db)).toEqual(
      all.map((name) => ({ name, appliedAt: null, isKnown: true })),
    )
    expect(await migrateUp(db, () => 1_700_000_000_000)).toEqual(all)
    expect(await migrateUp(db)).toEqual([])
    const status = all.map((name) => ({ name, appliedAt: 1_700_000_000_000, isKnown: true }))
    expect(await migrationStatus(db)).toEqual(status)
  })

  test('up, down and up again give the same schema', async () => {
    const db = await open()
    await migrateUp(db)
    const first = await schemaOf(db)
    const undone: string[] = []
    for (let name = await migrateDown(db); name; name = await migrateDown(db)) undone.push(name)
    expect(undone).toEqual(all.toReversed())
    const bare = await schemaOf(db)
    expect(JSON.stringify(bare)).not.toContain('skills')
    await migrateUp(db)
    expect(await schemaOf(db)).toEqual(first)
    reportFigure(`up, down and up on ${engine}: the same schema`)
  })

  test('twelve connections of one process that start at once apply them once', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, open))
    const applied = await Promise.all(opened.map((db) => migrateUp(db)))
    expect(applied.flat()).toEqual(all)
  })

  test('killed half-way they leave the former state, and the next start completes them', async () => {
    await expect(migrateInProcess('die')).rejects.toMatchObject({ signal: 'SIGKILL' })
    const db = await open()
    expect(await schemaOf(db)).toEqual([])
    expect(await migrateUp(db)).toEqual(all)
  })

  test(
    'killed at any moment they are completed by the next start, to the same schema',
    async () => {
      const random = seededRandom(seed)
      const whole = await createTestDatabase(engine)
      cleanUp.push(whole.remove)
      const started = performance.now()
      await run(process.execPath, flagsFor(whole.url))
      const ms = performance.now() - started
      const reference = await openDatabase(whole.url)
      cleanUp.push(() => reference.close())
      const first = await schemaOf(reference)
      let undone = 0
      for (let round = 0; round < rounds; round++) {
        const killed = await createTestDatabase(engine)
        cleanUp.push(killed.remove)
        const child = spawn(process.execPath, flagsFor(killed.url), { stdio: 'ignore' })
        await pause(ms * (0.4 + 0.6 * random()))
        child.kill('SIGKILL')
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
        const db = await openDatabase(killed.url)
        if ((await migrateUp(db)).length > 0) undone++
        expect(await schemaOf(db)).toEqual(first)
        await db.close()
      }
      reportFigure(
        `killed ${rounds} times on ${engine}, ${undone} of them before the end: completed to the same schema`,
      )
    },
    30_000 + 10_000 * rounds,
  )
})

/** Tables, columns, indexes and constraints as the engine itself tells them, in a stable order. */
async function schemaOf(db: Database): Promise<unknown[]> {
  const queries =
    db.dialect === 'sqlite'
      ? ["select type, name, tbl_name, sql from sqlite_master where name not like 'sqlite_%'"]
      : [
          `select table_name, column_name, data_type, is_nullable, column_default
            from information_schema.columns where table_schema = 'public'`,
          "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'",
          `select conrelid::regclass::text as on, pg_get_constraintdef(oid) as is
            from pg_constraint where connamespace = 'public'::regnamespace`,
        ]
  const results = await Promise.all(queries.map((query) => sql.raw(query).execute(db.read)))
  return results
    .flatMap(({ rows }) => rows)
    .map((row) => JSON.stringify(row))
    .sort()
}
