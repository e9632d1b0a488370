import { setImmediate as turn } from 'node:timers/promises'
import { DatabaseUnavailable } from '@skillpass/server/db/errors'
import { type Database, openDatabase } from '@skillpass/server/db/open'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { afterFile } from '../support/cleanup.ts'
import { createTestDatabase, engines } from '../support/databases.ts'
import { ceilingMs, eventually, until } from '../support/waiting.ts'
import { startPausingProxy } from './pausing-proxy.ts'

describe.runIf(engines.includes('postgres'))('a Postgres that does not answer', async () => {
  const { url, remove } = await createTestDatabase('postgres')
  afterFile(remove)
  const proxy = await startPausingProxy(url)
  afterFile(proxy.close)
  const db = await eventually(() =>
    openDatabase(proxy.url, { limits: { statement: 1_000, connection: ceilingMs } }),
  )
  afterFile(() => db.close())

  const read = (db: Database) => sql`select 1 as one`.execute(db.read)
  const write = (db: Database) => db.write((trx) => sql`select 1 as one`.execute(trx))
  const failureOf = (act: Promise<unknown>) =>
    act.then(
      () => undefined,
      (error: unknown) => error,
    )

  test('a statement that takes too long is no outage', async () => {
    const slow = eventually(async () => {
      const error = await failureOf(sql`select pg_sleep(600)`.execute(db.read))
      expect(String(error)).toContain('a statement took too long')
    })
    await slow
    expect(db.isAway()).toBe(false)
  })

  test('a silent Postgres fails waiting and new statements as an outage, and is found again', async () => {
    await eventually(() => Promise.all([read(db), write(db)]))
    proxy.pause()
    const waiting = await Promise.all(
      Array.from({ length: 20 }, (_, i) => failureOf(i % 2 ? read(db) : write(db))),
    )
    expect(db.isAway()).toBe(true)
    for (const error of waiting) {
      expect(error).toBeInstanceOf(DatabaseUnavailable)
      expect(error).toMatchObject({ isOutage: true })
    }
    for (const act of [read, write, () => db.ping()]) {
      const failures: unknown[] = []
      void failureOf(act(db)).then((error) => failures.push(error))
      // Nothing is waited for while the database is away.
      await turn()
      expect(failures).toEqual([expect.any(DatabaseUnavailable)])
    }
    proxy.resume()
    await until('the database is back', () => !db.isAway())
    await eventually(async () => {
      expect((await read(db)).rows).toEqual([{ one: 1 }])
      expect((await write(db)).rows).toEqual([{ one: 1 }])
      await db.ping()
    })
  })
})
