import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { migrationStatus } from '../db/migrations/migrate.ts'
import { type DatabaseToRead, openToRead } from '../db/read-only.ts'
import { findEncryption } from '../encryption/key.ts'
import { listKeyIds } from '../encryption/store/keys.ts'
import { errorCode } from '../errors/error-code.ts'
import { messageOf } from '../errors/message-of.ts'
import { systemRandom } from '../runtime/time.ts'
import { openBlob } from '../skills/bundles/blob.ts'
import { type BlobRecord, listBlobsInDatabase } from '../skills/store/blobs.ts'
import { nameOf } from './database.ts'
import {
  listBrokenReferences,
  listFaults,
  listStoredTexts,
  type StoredText,
} from './store/faults.ts'

/** One check of the database. */
export interface Check {
  readonly name: string
  /** `skipped` after a finding that makes the check pointless. */
  readonly state: 'fine' | 'wrong' | 'skipped'
  /** A sentence without its full stop, as is the remedy. */
  readonly says: string
  readonly remedy?: string
}

type Keys = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

/** What is checked. */
interface Checked {
  readonly db: DatabaseToRead
  /** What the database is called. */
  readonly name: string
  /** Says which keys there are. */
  readonly config: Keys
}

/** A problem that a check has found; damage where it has no remedy of its own. */
class Problem extends Error {
  readonly remedy: string | undefined
  constructor(says: string, remedy?: string) {
    super(says)
    this.remedy = remedy
  }
}

/** Checks everything that the configured database holds and changes none of it; servers may go on. */
export function checkAll(config: Keys): Promise<Check[]> {
  const name = nameOf(config)
  const cure = config.databaseUrl.startsWith('file:')
    ? `Stop the servers, keep a copy of ${name} and of the files beside it, and put the last backup in its place: skillpass-server restore FILE`
    : 'Rebuild what is named (reindex, alter table … validate constraint), or restore the last backup with pg_restore'
  return checkDatabase(config, { url: config.databaseUrl, name, cure })
}

/**
 * Checks a database that is to be used with the keys of a configuration; `cure` is the remedy for damage.
 */
export async function checkDatabase(
  config: Keys,
  { url, name, cure }: { readonly url: string; readonly name: string; readonly cure: string },
): Promise<Check[]> {
  const checks: Check[] = []
  const run = async (check: string, look: () => Promise<string>): Promise<boolean> => {
    try {
      checks.push({ name: check, state: 'fine', says: await look() })
      return true
    } catch (error) {
      checks.push({ name: check, state: 'wrong', ...problemOf(error, name, cure) })
      return false
    }
  }
  let db: DatabaseToRead
  try {
    db = await openToRead(url)
  } catch (error) {
    return [{ name: 'database', state: 'wrong', ...problemOf(error, name, cure) }]
  }
  try {
    const checked = { db, name, config }
    await run('integrity', () => checkIntegrity(checked))
    const isKnown = await run('schema', () => checkSchema(checked))
    for (const [check, look] of Object.entries(rowChecks)) {
      if (isKnown) await run(check, () => look(checked))
      else checks.push({ name: check, state: 'skipped', says: 'the schema is another' })
    }
    return checks
  } finally {
    await db.close()
  }
}

/** The problem that a check has thrown, or why it could not be made. */
function problemOf(error: unknown, name: string, cure: string): Pick<Check, 'says' | 'remedy'> {
  if (error instanceof Problem) return { says: error.message, remedy: error.remedy ?? cure }
  if (errorCode(error) === 'ENOENT') {
    const remedy = 'Check DATABASE_URL; skillpass-server migrate up makes it'
    return { says: `there is no ${name}`, remedy }
  }
  // The sentence names file and remedy already, so the engine's own words are enough.
  const reason = messageOf(error instanceof DatabaseUnavailable ? (error.cause ?? error) : error)
  return { says: `${name}: ${reason}`, remedy: cure }
}

async function checkIntegrity({ db, name }: Checked): Promise<string> {
  const faults = await listFaults(db.read)
  if (faults.length > 0) throw new Problem(`${name}: ${some(faults)}`)
  return `${name} is sound`
}

async function checkSchema({ db, name }: Checked): Promise<string> {
  const migrations = await migrationStatus(db)
  const applied = migrations.filter(({ appliedAt }) => appliedAt !== null)
  const last = applied.at(-1)?.name
  if (last === undefined) {
    const remedy =
      'Name another database; skillpass-server migrate up makes the tables of a new one'
    throw new Problem(`${name} holds no tables of Skillpass`, remedy)
  }
  const unknown = applied.filter(({ isKnown }) => !isKnown).map((migration) => migration.name)
  if (unknown.length > 0) {
    const remedy = 'Use that version, or undo its migrations with it: skillpass-server migrate down'
    throw new Problem(`a newer Skillpass has migrated it (${some(unknown)})`, remedy)
  }
  const pending = migrations.length - applied.length
  return pending === 0 ? `at ${last}` : `at ${last}; the next start applies ${pending} more`
}

/** Checks that read rows. */
const rowChecks: Readonly<Record<string, (checked: Checked) => Promise<string>>> = {
  async references({ db }) {
    const broken = await listBrokenReferences(db.read)
    if (broken.length === 0) return 'every row has what it refers to'
    throw new Problem(`rows refer to missing ones: ${some(broken)}`)
  },
  texts: ({ db }) =>
    checkDigests<StoredText>('versions', {
      list: (last) => listStoredTexts(db.read, last),
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
    if (missing.length === 0) return 'no key is missing'
    throw new Problem(
      `the key ${missing.join(', ')} is missing, which secrets are sealed with`,
      'Set it as ENCRYPTION_KEY, or append it there with a comma',
    )
  },
}

/** What items of a kind have a digest of; `list` gives a page of them after an item. */
interface Digested<T> {
  list(last: T | undefined): Promise<T[]>
  open(item: T): Iterable<string> | AsyncIterable<Uint8Array>
  nameOf(item: T): string
}

async function checkDigests<T extends { readonly digest: string }>(
  kind: string,
  { list, open, nameOf }: Digested<T>,
): Promise<string> {
  const changed: string[] = []
  let count = 0
  for (let page = await list(undefined); page.length > 0; page = await list(page.at(-1))) {
    for (const item of page) {
      count++
      if ((await digestOf(open(item))) !== item.digest) changed.push(nameOf(item))
    }
  }
  if (changed.length === 0) return `all ${count} ${kind} are what their digest names`
  throw new Problem(`${changed.length} ${kind} are not what their digest names: ${some(changed)}`)
}

/** The digest of parts; undefined if some are missing. */
async function digestOf(parts: Iterable<string> | AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256')
  try {
    for await (const part of parts) hash.update(part)
    return `sha256:${hash.digest('hex')}`
  } catch {
    return undefined
  }
}

/** The first five of several. */
const some = (items: readonly string[]): string =>
  `${items.slice(0, 5).join(', ')}${items.length > 5 ? ', …' : ''}`
