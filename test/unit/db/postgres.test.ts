import { DatabaseUnavailable } from '@skillpass/server/db/errors'
import { type Database, openDatabase } from '@skillpass/server/db/open'
import { currentRevision } from '@skillpass/server/registry/store/revision'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engines, openTestDatabase } from '../../support/databases.ts'
import { admin } from '../../support/postgres.ts'

describe.runIf(engines.includes('postgres'))('a Postgres database', () => {
  let db: Database
  let url: string
  let remove: () => Promise<void>

  beforeAll(async () => {
    ;({ db, url, remove } = await openTestDatabase('postgres'))
  })
  afterAll(() => remove?.())

  const add = (id: string) =>
    db.write((trx) =>
      trx
        .insertInto('agents')
        .values({ id, username: id, display_name: null, bio: null, created_at: 1 })
        .execute(),
    )
  const killBackends = () =>
    admin(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${new URL(url).pathname.slice(1)}'`)

  test('outlives the death of its idle connections and answers the next query', async () => {
    await Promise.all([db.ping(), add('idle')])
    await killBackends()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await db.ping()
    await add('after idle')
  })

  test('a connection killed inside a transaction fails that write alone, as unavailable', async () => {
    const write = db.write(async (trx) => {
      await sql`select 1`.execute(trx)
      await killBackends()
      await new Promise((resolve) => setTimeout(resolve, 50))
      await sql`select 1`.execute(trx)
    })
    await expect(write).rejects.toBeInstanceOf(DatabaseUnavailable)
    await add('after transaction')
  })

  test('a connection killed under a query fails it as unavailable', async () => {
    const slow = sql`select pg_sleep(5)`.execute(db.read)
    const failed = expect(slow).rejects.toBeInstanceOf(DatabaseUnavailable)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await killBackends()
    await failed
    await db.ping()
  })

  test('runs a write again after a deadlock and never after another failure', async () => {
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

  test('200 concurrent increments are all counted', async () => {
    const bump = () =>
      db.write((trx) =>
        trx
          .updateTable('registry_revision')
          .set((eb) => ({ revision: eb('revision', '+', 1) }))
          .execute(),
      )
    const before = await currentRevision(db.read)
    await Promise.all(Array.from({ length: 200 }, bump))
    expect((await currentRevision(db.read)) - before).toBe(200)
  })

  test('reads go on while every connection for writes is taken', async () => {
    const held = Array.from({ length: 8 }, () =>
      db.write((trx) => sql`select pg_sleep(0.8)`.execute(trx)).then(() => 'a write'),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    const read = db.read.selectFrom('agents').select('id').execute()
    expect(await Promise.race([read.then(() => 'the read'), ...held])).toBe('the read')
    await Promise.all(held)
  })

  test('an address where nothing listens is unavailable, not a crash', async () => {
    const nowhere = openDatabase('postgres://postgres@127.0.0.1:1/x')
    await expect(nowhere).rejects.toBeInstanceOf(DatabaseUnavailable)
  })

  test('a backup names pg_dump', async () => {
    await expect(db.backup('x')).rejects.toThrow('pg_dump')
  })
})
