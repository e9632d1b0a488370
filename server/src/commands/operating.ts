import { currentOperator, type Operating } from '../audit/operator.ts'
import { type AuditAction, record } from '../audit/record.ts'
import { migrationStatus } from '../db/migrations/migrate.ts'
import type { Database } from '../db/open.ts'
import { systemClock, systemRandom } from '../runtime/time.ts'
import { withCurrentDatabase } from './database.ts'

/** What an operation of the operator works with, on a database. */
export const operatingOn = (db: Database): Operating => ({
  db,
  clock: systemClock,
  random: systemRandom,
  network: null,
})

/** Runs an operation of the operator on the configured database, brought up to date. */
export const asOperator = <T>(work: (ctx: Operating) => Promise<T>): Promise<T> =>
  withCurrentDatabase(({ db }) => work(operatingOn(db)))

/** Records a command of the operator, where the database is not of before the audit log. */
export async function recordCommand(db: Database, action: AuditAction, note?: string) {
  const migrations = await migrationStatus(db)
  const log = migrations.find(({ name }) => name === '0013-moderation-and-audit')
  if (!log || log.appliedAt === null) return
  const act = { action, who: currentOperator(), note }
  await db.write((trx) => record(operatingOn(db), trx, act))
}
