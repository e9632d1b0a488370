import { migrations, openDatabase } from '@skillpass/server/testing'

/**
 * Creates the tables in the database given as first argument, and kills itself before the commit.
 */
const db = await openDatabase(process.argv[2] ?? '')
await db.write(
  async (trx) => {
    for (const migration of migrations) await migration.up(trx)
    process.kill(process.pid, 'SIGKILL')
    await trx.selectFrom('agents').selectAll().execute()
  },
  { isLong: true },
)
