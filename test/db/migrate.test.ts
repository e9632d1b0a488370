import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Database } from '@skillpass/server/testing'
import { migrations } from '@skillpass/server/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { operateJson } from '../support/commands.ts'
import { createTestDatabase, type Engine, engines } from '../support/databases.ts'
import { openWithLongTimeouts } from './long-timeouts.ts'

const script = fileURLToPath(new URL('./migrate-process.ts', import.meta.url))
const all = migrations.map(({ name }) => name)

/** Tables, columns, indexes and constraints as the engine describes them, in a stable order. */
async function schemaOf(db: Database, engine: Engine): Promise<unknown[]> {
  const queries =
    engine === 'postgres'
      ? [
          `select table_name, column_name, data_type, is_nullable, column_default
            from information_schema.columns where table_schema = 'public'`,
          "select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'",
          `select conrelid::regclass::text as on, pg_get_constraintdef(oid) as is
            from pg_constraint where connamespace = 'public'::regnamespace`,
        ]
      : ["select type, name, tbl_name, sql from sqlite_master where name not like 'sqlite_%'"]
  const results = await Promise.all(queries.map((query) => sql.raw(query).execute(db.read)))
  return results
    .flatMap(({ rows }) => rows)
    .map((row) => JSON.stringify(row))
    .sort()
}

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

  const migrateUp = async () => (await operateJson({ url }, 'migrate', 'up')).applied
  const open = async () => {
    const db = await openWithLongTimeouts(url)
    cleanUp.push(() => db.close())
    return db
  }

  test('migrations apply once', async () => {
    const status = async () => (await operateJson({ url }, 'migrate', 'status')).migrations
    await (await open()).ping()
    expect(await status()).toEqual(all.map((name) => ({ name, appliedAt: null })))
    expect(await migrateUp()).toEqual(all)
    const applied = await status()
    expect(applied).toEqual(all.map((name) => ({ name, appliedAt: expect.any(Number) })))
    expect(await migrateUp()).toEqual([])
    expect(await status()).toEqual(applied)
  })

  test('the baseline creates the schema of the first release, whatever has changed since', async () => {
    const db = await open()
    await db.write(async (trx) => migrations[0]?.up(trx), { isLong: true })
    const recorded = readFileSync(new URL('./recorded-schemas.ndjson', import.meta.url), 'utf8')
      .split('\n')
      .find((line) => line.includes(`"engine":"${engine}"`))
    expect({ engine, schema: await schemaOf(db, engine) }).toEqual(JSON.parse(recorded ?? ''))
  })

  test('the key from registration stays known when API keys become flat, and when that is undone', async () => {
    const db = await open()
    await db.write(async (trx) => migrations[0]?.up(trx), { isLong: true })
    await db.write(async (trx) => {
      await sql`insert into agents (id, username, created_at) values ('a', 'a', 1)`.execute(trx)
      for (const [id, parent] of [
        ['first', null],
        ['child', 'first'],
        ['grandchild', 'child'],
      ]) {
        await sql`insert into api_keys (id, agent_id, name, key_hash, key_prefix, created_at, parent_id)
          values (${id}, 'a', 'key', ${id}, 'skp_', 1, ${parent})`.execute(trx)
      }
    })
    const flatKeys = migrations.find(({ name }) => name === '0004-flat-keys')
    const list = async (column: string) => {
      const query = sql`select id, ${sql.ref(column)} as value from api_keys order by id`
      return (await query.execute(db.read)).rows
    }
    const flat = [
      { id: 'child', value: 0 },
      { id: 'first', value: 1 },
      { id: 'grandchild', value: 0 },
    ]
    await db.write(async (trx) => flatKeys?.up(trx))
    expect(await list('is_registration')).toEqual(flat)
    await db.write(async (trx) => flatKeys?.down?.(trx))
    expect(await list('parent_id')).toEqual([
      { id: 'child', value: 'first' },
      { id: 'first', value: null },
      { id: 'grandchild', value: 'first' },
    ])
    await db.write(async (trx) => flatKeys?.up(trx))
    expect(await list('is_registration')).toEqual(flat)
  })

  test('twelve connections that migrate concurrently apply each migration once', async () => {
    const applied = await Promise.all(Array.from({ length: 12 }, migrateUp))
    expect(applied.flat()).toEqual(all)
  })

  test('migrations killed halfway leave the previous state, and the next start completes them', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', script, url], { stdio: 'inherit' })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    const db = await open()
    expect(await schemaOf(db, engine)).toEqual([])
    expect(await migrateUp()).toEqual(all)
  })
})
