import { migrateUp } from '@skillpass/server/db/migrations/migrate'
import { openDatabase } from '@skillpass/server/db/open'
import { expect, test } from 'vitest'
import { operate } from '../support/commands.ts'
import { createTestDatabase, engines } from '../support/databases.ts'
import { runOn } from '../support/postgres.ts'

test.skipIf(!engines.includes('postgres'))(
  'a command waits longer for a statement than a request would',
  async () => {
    const database = await createTestDatabase('postgres')
    try {
      const db = await openDatabase(database.url)
      await migrateUp(db)
      await db.close()
      // Longer than the 3.5 s of a request.
      const locked = runOn(database.url, 'begin; lock table agents; select pg_sleep(6); commit')
      const { code, err } = await operate(database, 'agent', 'list')
      expect({ code, err }).toEqual({ code: 0, err: '' })
      await locked
    } finally {
      await database.remove()
    }
  },
)
