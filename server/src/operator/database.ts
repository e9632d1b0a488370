import type { Config } from '../config/config.ts'
import { migrationStatus } from '../db/migrations/migrate.ts'
import type { DatabaseToRead } from '../db/read-only.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'
import { findEncryption } from '../encryption/key.ts'
import { listKeyIds } from '../encryption/store/keys.ts'
import { systemRandom } from '../runtime/time.ts'

/** What a database is called, without the password. */
export function nameOf({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl.startsWith('file:')) return sqliteFile(databaseUrl)
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}

/** The first five of several. */
export const some = (items: readonly string[]): string =>
  `${items.slice(0, 5).join(', ')}${items.length > 5 ? ', …' : ''}`

/** The migrations of a database: the last one applied, those of a newer version, and how many are pending. */
export async function readSchema(db: DatabaseToRead) {
  const migrations = await migrationStatus(db)
  const applied = migrations.filter(({ appliedAt }) => appliedAt !== null)
  const unknown = applied.filter(({ isKnown }) => !isKnown).map(({ name }) => name)
  return { last: applied.at(-1)?.name, unknown, pending: migrations.length - applied.length }
}

/** Ids of the keys that secrets are sealed with and that are not configured. */
export async function listMissingKeys(
  db: DatabaseToRead,
  config: Pick<Config, 'databaseUrl' | 'encryptionKeys'>,
): Promise<string[]> {
  const encryption = await findEncryption(config, systemRandom)
  return (await listKeyIds(db.read)).filter((id) => !encryption?.keyIds.includes(id))
}
