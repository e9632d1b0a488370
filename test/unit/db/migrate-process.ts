import { migrations } from '@skillpass/server/db/migrations/index'
import { migrateUp } from '@skillpass/server/db/migrations/migrate'
import { ceilingMs } from '../../support/waiting.ts'
import { openPatiently } from './open-patiently.ts'

/**
 * Migrates the database of the first argument. With `die` it kills itself once the tables are made and
 * before anything is committed.
 */
const [url = '', fate] = process.argv.slice(2)
const db = await openPatiently(url)
if (fate === 'die') {
  await db.write(
    async (trx) => {
      for (const migration of migrations) await migration.up(trx)
      process.kill(process.pid, 'SIGKILL')
      await trx.selectFrom('agents').selectAll().execute()
    },
    { timeoutMs: ceilingMs },
  )
}
await migrateUp(db)
await db.close()
