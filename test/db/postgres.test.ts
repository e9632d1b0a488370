import { DatabaseUnavailable } from '@skillpass/server/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { admin } from '../support/postgres.ts'
import { createGate, until } from '../support/waiting.ts'
import { createDatabaseWithLongTimeouts } from './long-timeouts.ts'

// The body of a skipped `describe` runs too.
describe.runIf(engines.includes('postgres'))('a Postgres database', async () => {
  const { db, url } = await createDatabaseWithLongTimeouts(engines.at(-1) ?? 'sqlite')
  const isOurs = `datname = '${new URL(url).pathname.slice(1)}'`

  test('a query whose connection is killed fails as unavailable, and later queries succeed', async () => {
    const failed = expect(sql`select pg_sleep(600)`.execute(db.read)).rejects.toBeInstanceOf(
      DatabaseUnavailable,
    )
    const sleeping = `select from pg_stat_activity
      where ${isOurs} and state = 'active' and query like '%pg_sleep%'`
    await until('the query runs', async () => (await admin(sleeping)).length > 0)
    await admin(`select pg_terminate_backend(pid) from pg_stat_activity where ${isOurs}`)
    await failed
    await db.ping()
  })

  test('a write is retried after a deadlock and never after another error', async () => {
    const attempts = { deadlock: 0, other: 0 }
    const raise = (code: string) =>
      sql.raw(`do $$ begin raise exception using errcode = '${code}'; end $$`)
    await db.write(async (trx) => {
      attempts.deadlock += 1
      if (attempts.deadlock === 1) await raise('40P01').execute(trx)
      if (attempts.deadlock === 2) await raise('40001').execute(trx)
    })
    expect(attempts.deadlock).toBe(3)
    const lost = db.write(async (trx) => {
      attempts.other += 1
      await raise('08006').execute(trx)
    })
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailable)
    expect(attempts.other).toBe(1)
  })

  test('reads succeed while writes hold every write connection', async () => {
    const mayEnd = createGate()
    let begun = 0
    const write = () =>
      db.write(async (trx) => {
        await sql`select 1`.execute(trx)
        begun++
        await mayEnd.opened
      })
    const held = Promise.all(Array.from({ length: 8 }, write))
    // Five of the ten connections of a process are for writes.
    await until('every connection for writes is taken', () => begun === 5)
    await db.read.selectFrom('agents').select('id').execute()
    expect(begun).toBe(5)
    mayEnd.open()
    await held
  })

  test('the error of a Postgres backup names pg_dump', async () => {
    await expect(db.backup('x')).rejects.toThrow('pg_dump')
  })
})
