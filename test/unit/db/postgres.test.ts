import { DatabaseUnavailable } from '@skillpass/server/db/errors'
import type { Database } from '@skillpass/server/db/open'
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

  const killBackends = () =>
    admin(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${new URL(url).pathname.slice(1)}'`)

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

  test('reads go on while every connection for writes is taken', async () => {
    const held = Array.from({ length: 8 }, () =>
      db.write((trx) => sql`select pg_sleep(0.8)`.execute(trx)).then(() => 'a write'),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    const read = db.read.selectFrom('agents').select('id').execute()
    expect(await Promise.race([read.then(() => 'the read'), ...held])).toBe('the read')
    await Promise.all(held)
  })

  test('a backup names pg_dump', async () => {
    await expect(db.backup('x')).rejects.toThrow('pg_dump')
  })
})
