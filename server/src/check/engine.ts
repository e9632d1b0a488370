import type { Config } from '../config/config.ts'
import { migrationStatus } from '../db/migrations/migrate.ts'
import type { DatabaseToRead } from '../db/read-only.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'
import { fine, type Outcome, some, wrong } from './finding.ts'
import { listBrokenReferences, listFaults } from './store/engine.ts'

type Place = Pick<Config, 'databaseUrl'>

const isFile = ({ databaseUrl }: Place) => databaseUrl.startsWith('file:')

/** What a database is called, without the password. */
export const nameOf = ({ databaseUrl }: Place): string => {
  if (databaseUrl.startsWith('file:')) return sqliteFile(databaseUrl)
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

/** What to do about a database that is damaged. */
export const remedyOf = (config: Place): string =>
  isFile(config)
    ? `Stop the servers, keep a copy of ${nameOf(config)} and of what stands beside it, and put the last backup in its place: skillpass-server restore FILE`
    : 'Rebuild what is named (reindex, alter table … validate constraint), or restore the last backup with pg_restore'

/** Whether the engine finds its own pages, indexes and constraints sound. */
export async function checkIntegrity(db: DatabaseToRead, config: Place): Promise<Outcome> {
  const faults = await listFaults(db.read)
  if (faults.length > 0) return wrong(`${nameOf(config)}: ${some(faults)}`, remedyOf(config))
  return fine(`${nameOf(config)} is sound`)
}

/** Whether every row has the rows that it refers to. */
export async function checkReferences(db: DatabaseToRead, config: Place): Promise<Outcome> {
  const broken = await listBrokenReferences(db.read)
  if (broken.length > 0)
    return wrong(`rows refer to missing ones: ${some(broken)}`, remedyOf(config))
  return fine('every row has what it refers to')
}

/** Where the schema is, and whether this program knows it. */
export async function checkSchema(
  db: DatabaseToRead,
  config: Place,
): Promise<Outcome & { isCurrent: boolean }> {
  const migrations = await migrationStatus(db)
  const applied = migrations.filter(({ appliedAt }) => appliedAt !== null)
  const last = applied.at(-1)?.name
  const unknown = applied.filter(({ isKnown }) => !isKnown).map(({ name }) => name)
  if (last === undefined) {
    const remedy = 'Check DATABASE_URL; skillpass-server migrate up makes the tables'
    return { ...wrong(`${nameOf(config)} holds no tables of Skillpass`, remedy), isCurrent: false }
  }
  if (unknown.length > 0) {
    const says = `a newer Skillpass has migrated it (${some(unknown)})`
    const remedy = 'Use that version, or undo its migrations with it: skillpass-server migrate down'
    return { ...wrong(says, remedy), isCurrent: false }
  }
  const pending = migrations.length - applied.length
  const says = pending === 0 ? `at ${last}` : `at ${last}; the next start applies ${pending} more`
  return { ...fine(says), isCurrent: pending === 0 }
}
