import { migrations } from '@skillpass/server/db/migrations/index'
import { migrateUp } from '@skillpass/server/db/migrations/migrate'
import { openDatabase } from '@skillpass/server/db/open'

/**
 * Migrates the database of the first argument in a process of its own and prints what it applied.
 * With `die` it kills itself once the tables are made and before anything is committed.
 */
const [url = '', fate] = process.argv.slice(2)
const db = await openDatabase(url)
if (fate === 'die') {
  await db.write(async (trx) => {
    for (const migration of migrations) await migration.up(trx)
    process.kill(process.pid, 'SIGKILL')
    await trx.selectFrom('agents').selectAll().execute()
  })
}
console.log(JSON.stringify(await migrateUp(db)))
await db.close()
