import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { makeDurable } from '@skillpass/server/internal/db/sqlite'
import type { Database } from '@skillpass/server/testing'
import { DatabaseUnavailable, openDatabase } from '@skillpass/server/testing'
import SqliteConnection from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../support/databases.ts'

let db: Database
let file: string
let remove: () => Promise<void>

beforeEach(async () => {
  const database = await openTestDatabase('sqlite')
  ;({ db, remove } = database)
  file = database.url.slice('file:'.length)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await remove()
})

const add = (id: string) =>
  db.write((trx) =>
    trx
      .insertInto('agents')
      .values({ id, username: id, display_name: null, bio: null, created_at: 1 })
      .execute(),
  )
const count = async (on: Database = db) => {
  const rows = await on.read.selectFrom('agents').select('id').execute()
  return rows.length
}

test('SQLite runs at synchronous FULL with WAL and foreign keys', async () => {
  const read = (name: string) =>
    db.write(async (trx) => {
      const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(trx)
      return Object.values(rows[0] ?? {})[0]
    })
  expect(await read('synchronous')).toBe(2)
  expect(await read('journal_mode')).toBe('wal')
  expect(await read('foreign_keys')).toBe(1)
  // The longest time in ms that a lock may block the event loop.
  expect(await read('busy_timeout')).toBe(50)
})

test('a database whose commits would not be durable is refused with the reason', () => {
  const memory = new SqliteConnection(':memory:')
  expect(() => makeDurable(memory)).toThrow(/journal_mode=memory.*power failure/)
  memory.close()
})

test('a write waits for the lock of another process while the event loop turns', async () => {
  const other = new SqliteConnection(file)
  other.exec('begin immediate')
  const write = add('patient')
  // By now the write has met the lock.
  await turn()
  await turn()
  expect(await count()).toBe(0)
  other.exec('commit')
  other.close()
  await write
  expect(await count()).toBe(1)
})

test('a write fails if a lock persists, while reads continue and later writes succeed', async () => {
  const other = new SqliteConnection(file)
  other.exec('begin immediate')
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1000
    return now
  })
  await expect(add('refused')).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await count()).toBe(0)
  vi.restoreAllMocks()
  other.exec('rollback')
  other.close()
  await add('later')
  expect(await count()).toBe(1)
})

test('a failed commit of a batch fails and rolls back each of its writes, and later writes succeed', async () => {
  // With a fixed clock, the batch ends only with its last write.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const batch = await Promise.allSettled([
    add('good'),
    // A deferred foreign key is checked only at the commit.
    db.write(async (trx) => {
      await sql`pragma defer_foreign_keys = on`.execute(trx)
      await sql`insert into api_keys (id, agent_id, name, key_hash, key_prefix, created_at)
          values ('k', 'nobody', 'n', 'h', 'p', 1)`.execute(trx)
    }),
    add('also good'),
  ])
  expect(batch.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await count()).toBe(0)
  await add('next')
  expect(await count()).toBe(1)
})

test('close finishes pending writes and leaves them in a single file', async () => {
  const writes = Array.from({ length: 600 }, (_, i) => add(`last-${i}`))
  const closed = db.close()
  await Promise.all(writes)
  await closed
  await expect(add('too late')).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await readdir(dirname(file))).toEqual(['skillpass.db'])
  const again = await openDatabase(`file:${file}`)
  expect(await count(again)).toBe(600)
  await again.close()
})
