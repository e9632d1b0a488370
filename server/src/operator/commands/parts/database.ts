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

/** How a command takes a database that is missing or has no tables. */
interface Opening {
  /** Makes one; otherwise the command fails. */
  readonly creates?: boolean
}

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

/** What commands work with that read or write what is sealed. */
export type CommandContext = Pick<AppContext, 'clock' | 'config' | 'db' | 'encryption' | 'random'>

/** Opens the database along with the keys of what it holds sealed. */
export const withUnlockedDatabase = <T>(
  work: (ctx: CommandContext) => Promise<T>,
  opening?: Opening,
): Promise<T> =>
  withDatabase(async (db) => {
    const config = loadConfig()
    const encryption = await openEncryption(config, systemRandom)
    return work({ config, db, encryption, clock: systemClock, random: systemRandom })
  }, opening)

/** Brings the database up to date first, then runs the work with its context. */
export const withCurrentDatabase = <T>(
  work: (ctx: CommandContext) => Promise<T>,
  opening?: Opening,
): Promise<T> =>
  withUnlockedDatabase(async (ctx) => {
    await prepareDatabase(ctx)
    return work(ctx)
  }, opening)

/** What an operation of the operator works with, on a database. */
const operatingOn = (db: Database): Operating => ({
  db,
  clock: systemClock,
  random: systemRandom,
  network: null,
})

/** Runs an operation of the operator that ends access, of which apps are told, on the configured database. */
export const withOperatorContext = <T>(work: (ctx: OperatorContext) => Promise<T>): Promise<T> =>
  withCurrentDatabase(({ encryption, ...ctx }) =>
    work({ ...operatingOn(ctx.db), encryption, steadyNow: ctx.clock.now }),
  )

/** Runs an operation of the operator on the configured database, brought up to date. */
export const asOperator = <T>(work: (ctx: Operating) => Promise<T>): Promise<T> =>
  withCurrentDatabase(({ db }) => work(operatingOn(db)))

/** Records a command of the operator, unless the database has no tables any more. */
export async function recordCommand(db: Database, action: AuditAction, note?: string) {
  const migrations = await migrationStatus(db)
  if (migrations.every(({ appliedAt }) => appliedAt === null)) return
  const act = { action, who: currentOperator(), note }
  await db.write((trx) => record(operatingOn(db), trx, act))
}
