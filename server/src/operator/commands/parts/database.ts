import { currentOperator, type Operating } from '../../../audit/operator.ts'
import { type AuditAction, record } from '../../../audit/record.ts'
import { loadConfig } from '../../../config/config.ts'
import type { AppContext } from '../../../context.ts'
import { migrationStatus } from '../../../db/migrations/migrate.ts'
import { type Database, openDatabase } from '../../../db/open.ts'
import { patientLimits } from '../../../db/postgres.ts'
import { type DatabaseToRead, openToRead } from '../../../db/read-only.ts'
import { openEncryption } from '../../../encryption/key.ts'
import { prepareDatabase } from '../../../encryption/stored.ts'
import { errorCode } from '../../../errors/error-code.ts'
import type { OperatorContext } from '../../../oauth/operator.ts'
import { systemClock, systemRandom } from '../../../runtime/time.ts'
import { nameOf } from '../../database.ts'

/** Runs `work` on the configured database, of which it changes nothing, and closes it. */
export async function readDatabase<T>(work: (db: DatabaseToRead) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const db = await openToRead(config.databaseUrl).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new Error(`There is no database at ${nameOf(config)}. ${remedy}`)
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const remedy =
  'Set DATABASE_URL as it is for the server. skillpass-server serve, migrate up, apply and import make a new database.'

/** Whether a database that is missing or has no tables is made; otherwise the command fails. */
interface Opening {
  readonly creates?: boolean
}

/** Runs `work` on the configured database and closes it, whatever happens. */
export async function withDatabase<T>(
  work: (db: Database) => Promise<T>,
  { creates = false }: Opening = {},
): Promise<T> {
  const config = loadConfig()
  if (!creates) {
    await readDatabase(async (db) => {
      const migrations = await migrationStatus(db)
      if (migrations.some(({ appliedAt }) => appliedAt !== null)) return
      throw new Error(`The database at ${nameOf(config)} is empty. ${remedy}`)
    })
  }
  const db = await openDatabase(config.databaseUrl, { limits: patientLimits })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** What commands work with: the database brought up to date, and the keys of what it holds sealed. */
export type CommandContext = OperatorContext & Pick<AppContext, 'config'>

/** Brings the database up to date, then runs `work`, which gets the names of the migrations that this took. */
export const withOperator = <T>(
  work: (ctx: CommandContext, migrated: string[]) => Promise<T>,
  opening?: Opening,
): Promise<T> =>
  withDatabase(async (db) => {
    const config = loadConfig()
    const encryption = await openEncryption(config, systemRandom)
    const ctx = { ...operatingOn(db), config, encryption, steadyNow: systemClock.now }
    return work(ctx, await prepareDatabase(ctx))
  }, opening)

const operatingOn = (db: Database): Operating => ({
  db,
  clock: systemClock,
  random: systemRandom,
  network: null,
})

/** Records a command of the operator, unless the database has no tables any more. */
export async function recordCommand(db: Database, action: AuditAction, note?: string) {
  const migrations = await migrationStatus(db)
  if (migrations.every(({ appliedAt }) => appliedAt === null)) return
  const act = { action, who: currentOperator(), note }
  await db.write((trx) => record(operatingOn(db), trx, act))
}
