import { openEncryption } from '../../../app/encryption-key.ts'
import { prepareDatabase } from '../../../app/prepare-database.ts'
import { type AuditAction, currentOperator, record } from '../../../audit/record.ts'
import { migrationStatus } from '../../../db/migrations/migrate.ts'
import { type Database, type DatabaseToRead, openDatabase, openToRead } from '../../../db/open.ts'
import { patientLimits } from '../../../db/postgres.ts'
import { errorCode } from '../../../errors/error-code.ts'
import { loadConfig } from '../../../runtime/config/config.ts'
import type { OperatorContext } from '../../../runtime/context.ts'
import { openObjects } from '../../../runtime/object-store.ts'
import { createSteps } from '../../../runtime/steps.ts'
import { createPasswords } from '../../../secrets/passwords.ts'
import { systemRandom } from '../../../secrets/random.ts'
import { databaseName } from '../../check.ts'
import { currentRun } from './terminal.ts'

/** Opens the configured database read-only, runs `work` and closes the database. */
export async function readDatabase<T>(work: (db: DatabaseToRead) => Promise<T>): Promise<T> {
  const config = loadConfig(currentRun().env)
  const db = await openToRead(config.databaseUrl).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new Error(`There is no database at ${databaseName(config)}. ${remedy}`)
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

const remedy =
  'Set DATABASE_URL to the same value as for the server. To create a database, run skillpass-server serve, migrate up, apply or import.'

interface OpenOptions {
  /** Whether to create a database that is missing or empty, instead of failing. */
  readonly creates?: boolean
}

/** Opens the configured database, runs `work` and closes the database. */
export async function withDatabase<T>(
  work: (db: Database) => Promise<T>,
  { creates = false }: OpenOptions = {},
): Promise<T> {
  const config = loadConfig(currentRun().env)
  if (!creates) {
    await readDatabase(async (db) => {
      const migrations = await migrationStatus(db)
      if (migrations.some(({ appliedAt }) => appliedAt !== null)) return
      throw new Error(`The database at ${databaseName(config)} is empty. ${remedy}`)
    })
  }
  const db = await openDatabase(config.databaseUrl, { limits: patientLimits })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

/** Migrates the database, then runs `work` with the names of the migrations that were applied. */
export const withOperator = <T>(
  work: (ctx: OperatorContext, migrated: string[]) => Promise<T>,
  opening?: OpenOptions,
): Promise<T> =>
  withDatabase(async (db) => {
    const config = loadConfig(currentRun().env)
    const base = baseContext()
    const ctx: OperatorContext = {
      ...base,
      config,
      db,
      encryption: await openEncryption(config, base.random),
      objects: openObjects(config, base.random),
      passwords: createPasswords(base.random),
      steadyNow: base.clock.now,
      steps: createSteps(),
      trace: null,
    }
    return work(ctx, await prepareDatabase(ctx))
  }, opening)

/** The parts of a command's context that need no settings. */
const baseContext = () => ({ clock: currentRun().clock, random: systemRandom, network: null })

/** Records a command in the audit log, unless the database has no tables. */
export async function recordCommand(db: Database, action: AuditAction, note?: string) {
  const migrations = await migrationStatus(db)
  if (migrations.every(({ appliedAt }) => appliedAt === null)) return
  const entry = { action, who: currentOperator(), note }
  await db.write((trx) => record(baseContext(), trx, entry))
}
