import { createHash } from 'node:crypto'
import { findEncryption } from '../app/encryption-key.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { migrationStatus } from '../db/migrations/migrate.ts'
import { type DatabaseToRead, openToRead } from '../db/open.ts'
import { sqliteFile } from '../db/sqlite-connection.ts'
import { errorCode } from '../errors/error-code.ts'
import { messageOf } from '../errors/message-of.ts'
import type { Config } from '../runtime/config/config.ts'
import { systemRandom } from '../secrets/random.ts'
import { openBlob } from '../skills/bundles/blobs.ts'
import { listKeyIds } from '../store/encryption-keys.ts'
import * as store from '../store/faults.ts'
import { type BlobRecord, listBlobsInDatabase } from '../store/registry/blobs.ts'

interface Check {
  readonly name: string
  /** `skipped` if the schema check failed. */
  readonly state: 'fine' | 'wrong' | 'skipped'
  /** The result. Neither the result nor the remedy ends with a period. */
  readonly says: string
  readonly remedy?: string
}

type Keys = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

interface Place {
  readonly url: string
  /** Name of the database in messages. */
  readonly name: string
  readonly damageRemedy: string
}

interface CheckContext extends Place {
  readonly db: DatabaseToRead
  readonly config: Keys
}

/** The result of a check, or the problem that it found. Without a remedy it is damage. */
type Finding = string | { readonly says: string; readonly remedy?: string }

/** Checks the configured database without changing it. Servers can keep running. */
export function checkAll(config: Keys): Promise<Check[]> {
  const name = databaseName(config)
  const damageRemedy = config.databaseUrl.startsWith('file:')
    ? `Stop the servers, copy ${name} and the files beside it, and restore the last backup: skillpass-server restore FILE`
    : 'Rebuild the named objects (reindex, alter table … validate constraint), or restore the last backup with pg_restore'
  return checkDatabase(config, { url: config.databaseUrl, name, damageRemedy })
}

/** Checks the database of `place` against the encryption keys of a configuration. */
export async function checkDatabase(config: Keys, place: Place): Promise<Check[]> {
  let db: DatabaseToRead
  try {
    db = await openToRead(place.url)
  } catch (error) {
    return [{ name: 'database', ...resultOf(explain(error, place), place) }]
  }
  const results: Check[] = []
  try {
    for (const [name, check] of Object.entries(checks)) {
      const isUnknown = results.some((one) => one.name === 'schema' && one.state === 'wrong')
      if (isUnknown) results.push({ name, state: 'skipped', says: 'the schema check failed' })
      else {
        const explained = (error: unknown) => explain(error, place)
        const finding = await check({ ...place, db, config }).catch(explained)
        results.push({ name, ...resultOf(finding, place) })
      }
    }
    return results
  } finally {
    await db.close()
  }
}

const resultOf = (finding: Finding, { damageRemedy }: Place): Omit<Check, 'name'> =>
  typeof finding === 'string'
    ? { state: 'fine', says: finding }
    : { state: 'wrong', remedy: damageRemedy, ...finding }

function explain(error: unknown, { name }: Place): Finding {
  if (errorCode(error) === 'ENOENT') {
    const remedy = 'Check DATABASE_URL, or create the database with skillpass-server migrate up'
    return { says: `there is no database at ${name}`, remedy }
  }
  // `DatabaseUnavailable` repeats the name and a remedy, so use only the message of its cause.
  const reason = messageOf(error instanceof DatabaseUnavailable ? (error.cause ?? error) : error)
  return { says: `${name}: ${reason}` }
}

/** The checks in order. Those after `schema` read rows and need a known schema. */
const checks: Readonly<Record<string, (ctx: CheckContext) => Promise<Finding>>> = {
  async integrity({ db, name }) {
    const faults = await store.listFaults(db.read)
    return faults.length === 0 ? `${name} is intact` : { says: `${name}: ${firstFive(faults)}` }
  },
  async schema({ db, name }) {
    const migrations = await migrationStatus(db)
    const applied = migrations.filter(({ appliedAt }) => appliedAt !== null)
    const last = applied.at(-1)?.name
    if (last === undefined) {
      const remedy = 'Check DATABASE_URL, or create the tables with skillpass-server migrate up'
      return { says: `${name} has no Skillpass tables`, remedy }
    }
    const unknown = applied.filter(({ isKnown }) => !isKnown).map((migration) => migration.name)
    if (unknown.length > 0) {
      return {
        says: `a newer version of Skillpass has migrated it (${firstFive(unknown)})`,
        remedy:
          'Use that version, or undo its migrations with that version: skillpass-server migrate down',
      }
    }
    const pending = migrations.length - applied.length
    return pending === 0 ? `at ${last}` : `at ${last}; ${pending} migrations are pending`
  },
  async references({ db }) {
    const broken = await store.listBrokenReferences(db.read)
    if (broken.length === 0) return 'no dangling references'
    return { says: `dangling references: ${firstFive(broken)}` }
  },
  texts: ({ db }) =>
    checkDigests<store.StoredText>('versions', {
      list: (last) => store.listStoredTexts(db.read, last),
      open: ({ readme }) => [readme],
      nameOf: ({ skillId, version }) => `${skillId} version ${version}`,
    }),
  files: ({ db }) =>
    checkDigests<BlobRecord>('files', {
      list: (last) => listBlobsInDatabase(db.read, last?.digest ?? '', 500),
      open: (blob) => openBlob({ db, objects: undefined }, blob),
      nameOf: ({ digest }) => digest,
    }),
  async keys({ db, config }) {
    const encryption = await findEncryption(config, systemRandom)
    const ids = await listKeyIds(db.read)
    const missing = ids.filter((id) => !encryption?.keyIds.includes(id))
    if (missing.length === 0) return 'all encryption keys are set'
    return {
      says: `secrets are encrypted with the key ${missing.join(', ')}, which is missing`,
      remedy: 'Set ENCRYPTION_KEY to it, or append it to the other keys after a comma',
    }
  },
}

interface DigestedItems<T> {
  /** Returns a page of items after `last`. */
  list(last: T | undefined): Promise<T[]>
  open(item: T): Iterable<string> | AsyncIterable<Uint8Array>
  nameOf(item: T): string
}

async function checkDigests<T extends { readonly digest: string }>(
  kind: string,
  { list, open, nameOf }: DigestedItems<T>,
): Promise<Finding> {
  const changed: string[] = []
  let count = 0
  for (let page = await list(undefined); page.length > 0; page = await list(page.at(-1))) {
    for (const item of page) {
      count++
      if ((await digestOf(open(item))) !== item.digest) changed.push(nameOf(item))
    }
  }
  if (changed.length === 0) return `all ${count} ${kind} match their digests`
  return { says: `${changed.length} ${kind} do not match their digests: ${firstFive(changed)}` }
}

/** Returns the digest of the concatenated parts; undefined if reading them fails. */
async function digestOf(parts: Iterable<string> | AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  try {
    for await (const part of parts) hash.update(part)
    return `sha256:${hash.digest('hex')}`
  } catch {
    return undefined
  }
}

const firstFive = (items: readonly string[]): string =>
  `${items.slice(0, 5).join(', ')}${items.length > 5 ? ', …' : ''}`

/** Returns the name of the database for messages: its file, or its host and path. */
export function databaseName({ databaseUrl }: Pick<Config, 'databaseUrl'>): string {
  if (databaseUrl.startsWith('file:')) return sqliteFile(databaseUrl)
  const { host, pathname } = new URL(databaseUrl)
  return `${host}${pathname}`
}
