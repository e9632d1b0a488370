import { DatabaseUnavailable } from '@skillpass/server/db/errors'
import { type Database, openDatabase } from '@skillpass/server/db/open'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, engines, type TestDatabase } from '../../support/databases.ts'
import { type PausingProxy, startPausingProxy } from '../../support/pausing-proxy.ts'
import { until } from '../../support/waiting.ts'

const limits = { statement: 30_000, connection: 30_000, suspicion: 300, probe: 1000, pause: 100 }

describe.runIf(engines.includes('postgres'))('a Postgres that goes silent', () => {
  let database: TestDatabase
  let proxy: PausingProxy
  let db: Database

  beforeAll(async () => {
    database = await createTestDatabase('postgres')
    proxy = await startPausingProxy(database.url)
    db = await openDatabase(proxy.url, { limits })
  })
  afterAll(async () => {
    await db?.close()
    await proxy?.close()
    await database?.remove()
  })

  const read = () => sql`select 1 as one`.execute(db.read)
  const write = () => db.write((trx) => sql`select 1 as one`.execute(trx))
  const failureOf = (act: Promise<unknown>) =>
    act.then(
      () => undefined,
      (error: unknown) => error,
    )

  test('fails what waits and what comes, long before the limit of a statement, and is found again', async () => {
    await Promise.all([read(), write()])
    proxy.pause()
    const waiting = await Promise.all(
      Array.from({ length: 20 }, (_, i) => failureOf(i % 2 ? read() : write())),
    )
    expect(db.isAway()).toBe(true)
    for (const error of waiting) {
      expect(error).toBeInstanceOf(DatabaseUnavailable)
      expect(error).toMatchObject({ isOutage: true })
    }
    // One after the other: a thousand that each wait a tenth of a second would not end in time.
    for (let i = 0; i < 1000; i++) expect(await failureOf(i % 2 ? read() : write())).toBeDefined()
    expect(await failureOf(db.ping())).toBeInstanceOf(DatabaseUnavailable)
    proxy.resume()
    await until('it is back', () => !db.isAway())
    expect((await read()).rows).toEqual([{ one: 1 }])
    expect((await write()).rows).toEqual([{ one: 1 }])
    await db.ping()
  })

  test('is another than a slow one: a lock that is waited for opens nothing', async () => {
    const questions = proxy.connections()
    const slow = sql`select pg_sleep(2)`.execute(db.read)
    await until('it is asked', () => proxy.connections() > questions)
    expect(db.isAway()).toBe(false)
    expect((await slow).rows).toHaveLength(1)
    expect(db.isAway()).toBe(false)
  })
})
