import { createHash } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { type DatabaseToRead, openToRead } from '../db/read-only.ts'
import { digestOf } from '../discovery/readmes.ts'
import { errorCode } from '../errors/error-code.ts'
import { messageOf } from '../errors/message-of.ts'
import { openBlob } from '../skills/bundles/blob.ts'
import { type BlobRecord, listBlobsHere } from '../skills/store/blobs.ts'
import { listMissingKeys, nameOf, readSchema, some } from './database.ts'
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
  /** A sentence without its full stop. */
  readonly says: string
  readonly remedy?: string
}

type Place = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

/** A problem that a check has found. */
class Problem extends Error {
  readonly remedy: string
  constructor(says: string, remedy: string) {
    super(says)
    this.remedy = remedy
  }
}

/** Checks everything that a database holds and changes none of it. Servers may go on. */
export async function checkAll(config: Place): Promise<Check[]> {
  const checks: Check[] = []
  const run = async (name: string, check: () => Promise<string>) => {
    const found = check().then(
      (says) => ({ name, state: 'fine' as const, says }),
      (error) => ({ name, state: 'wrong' as const, ...problemOf(error, config) }),
    )
    checks.push(await found)
  }
  let db: DatabaseToRead
  try {
    db = await openToRead(config.databaseUrl)
  } catch (error) {
    return [{ name: 'database', state: 'wrong', ...problemOf(error, config) }]
  }
  try {
    await run('integrity', () => checkIntegrity(db, config))
    const schema = await readSchema(db).catch(() => ({ last: undefined, unknown: [], pending: 0 }))
    await run('schema', async () => judgeSchema(schema, config))
    const isCurrent = schema.last && schema.unknown.length === 0 && schema.pending === 0
    for (const [name, check] of Object.entries(rowChecks)) {
      if (isCurrent) await run(name, () => check(db, config))
      else checks.push({ name, state: 'skipped', says: 'the schema is another' })
    }
    return checks
  } finally {
    await db.close()
  }
}

/** The problem that a check has thrown, or why it could not be made. */
function problemOf(error: unknown, config: Place): Pick<Check, 'says' | 'remedy'> {
  if (error instanceof Problem) return { says: error.message, remedy: error.remedy }
  if (errorCode(error) === 'ENOENT') {
    const remedy = 'Check DATABASE_URL; skillpass-server migrate up makes it'
    return { says: `there is no ${nameOf(config)}`, remedy }
  }
  // The sentence names file and remedy already, so the engine's own words are enough.
  const reason = messageOf(error instanceof DatabaseUnavailable ? (error.cause ?? error) : error)
  return { says: `${nameOf(config)}: ${reason}`, remedy: remedyOf(config) }
}

const remedyOf = (config: Place): string =>
  config.databaseUrl.startsWith('file:')
    ? `Stop the servers, keep a copy of ${nameOf(config)} and of the files beside it, and put the last backup in its place: skillpass-server restore FILE`
    : 'Rebuild what is named (reindex, alter table … validate constraint), or restore the last backup with pg_restore'

async function checkIntegrity({ read }: DatabaseToRead, config: Place): Promise<string> {
  const faults = await listFaults(read)
  const name = nameOf(config)
  if (faults.length > 0) throw new Problem(`${name}: ${some(faults)}`, remedyOf(config))
  return `${name} is sound`
}

function judgeSchema(
  { last, unknown, pending }: Awaited<ReturnType<typeof readSchema>>,
  config: Place,
): string {
  if (last === undefined) {
    const remedy = 'Check DATABASE_URL; skillpass-server migrate up makes the tables'
    throw new Problem(`${nameOf(config)} holds no tables of Skillpass`, remedy)
  }
  if (unknown.length > 0) {
    const remedy = 'Use that version, or undo its migrations with it: skillpass-server migrate down'
    throw new Problem(`a newer Skillpass has migrated it (${some(unknown)})`, remedy)
  }
  return pending === 0 ? `at ${last}` : `at ${last}; the next start applies ${pending} more`
}

/** Checks that read rows, and so need the current schema. */
const rowChecks: Readonly<Record<string, (db: DatabaseToRead, config: Place) => Promise<string>>> =
  {
    async references({ read }, config) {
      const broken = await listBrokenReferences(read)
      if (broken.length === 0) return 'every row has what it refers to'
      throw new Problem(`rows refer to missing ones: ${some(broken)}`, remedyOf(config))
    },
    texts({ read }, config) {
      const texts = pagewise<StoredText>((last) => listStoredTexts(read, last))
      return checkDigests('versions', config, texts, ({ skillId, version, digest, readme }) =>
        digestOf(readme) === digest ? undefined : `${skillId} version ${version}`,
      )
    },
    files(db, config) {
      const blobs = pagewise<BlobRecord>((last) => listBlobsHere(db.read, last?.digest ?? '', 500))
      return checkDigests('files', config, blobs, async (blob) => {
        const found = await digestOfBytes(openBlob({ db, objects: undefined }, blob))
        return found === blob.digest ? undefined : blob.digest
      })
    },
    async keys(db, config) {
      const missing = await listMissingKeys(db, config)
      if (missing.length === 0) return 'no key is missing'
      throw new Problem(
        `the key ${missing.join(', ')} is missing, which secrets are sealed with`,
        'Set it as ENCRYPTION_KEY, or append it there with a comma',
      )
    },
  }

/** Checks items of a kind; `nameIfChanged` names one that is not what its digest says. */
async function checkDigests<T>(
  kind: string,
  config: Place,
  items: AsyncIterable<T>,
  nameIfChanged: (item: T) => string | undefined | Promise<string | undefined>,
): Promise<string> {
  const changed: string[] = []
  let count = 0
  for await (const item of items) {
    count++
    const name = await nameIfChanged(item)
    if (name !== undefined) changed.push(name)
  }
  if (changed.length === 0) return `all ${count} ${kind} are what their digest names`
  const says = `${changed.length} ${kind} are not what their digest names: ${some(changed)}`
  throw new Problem(says, remedyOf(config))
}

/** Every item of a list that is read page by page, until a page is empty. */
async function* pagewise<T>(list: (last: T | undefined) => Promise<T[]>): AsyncGenerator<T> {
  for (let last: T | undefined; ; ) {
    const page = await list(last)
    if (page.length === 0) return
    yield* page
    last = page.at(-1)
  }
}

/** The digest of bytes; undefined if some are missing. */
async function digestOfBytes(bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of bytes) hash.update(chunk)
    return `sha256:${hash.digest('hex')}`
  } catch {
    return undefined
  }
}
