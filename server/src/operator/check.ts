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

type Outcome = Omit<Check, 'name'>

type Place = Pick<Config, 'databaseUrl' | 'encryptionKeys'>

const fine = (says: string): Outcome => ({ state: 'fine', says })
const wrong = (says: string, remedy: string): Outcome => ({ state: 'wrong', says, remedy })

/** Checks everything that a database holds and changes none of it. Servers may go on. */
export async function checkAll(config: Place): Promise<Check[]> {
  let db: DatabaseToRead
  try {
    db = await openToRead(config.databaseUrl)
  } catch (error) {
    return [{ name: 'database', ...failed(error, config) }]
  }
  try {
    const checks: Check[] = []
    const run = async (name: string, check: () => Promise<Outcome>) => {
      const outcome = await check().catch((error: unknown) => failed(error, config))
      checks.push({ name, ...outcome })
      return outcome.state === 'fine'
    }
    await run('integrity', () => checkIntegrity(db, config))
    const { last, unknown, pending } = await readSchema(db).catch(() => ({ ...noSchema }))
    await run('schema', async () => judgeSchema({ last, unknown, pending }, config))
    const isCurrent = last !== undefined && unknown.length === 0 && pending === 0
    for (const [name, check] of Object.entries(rowChecks)) {
      const skipped: Outcome = { state: 'skipped', says: 'the schema is another' }
      await run(name, () => (isCurrent ? check(db, config) : Promise.resolve(skipped)))
    }
    return checks
  } finally {
    await db.close()
  }
}

const noSchema = { last: undefined, unknown: [], pending: 0 }

/** Why a check could not be made. */
function failed(error: unknown, config: Place): Outcome {
  if (errorCode(error) === 'ENOENT') {
    return wrong(
      `there is no ${nameOf(config)}`,
      'Check DATABASE_URL; skillpass-server migrate up makes it',
    )
  }
  // The sentence names file and remedy already, so the engine's own words are enough.
  const reason = messageOf(error instanceof DatabaseUnavailable ? (error.cause ?? error) : error)
  return wrong(`${nameOf(config)}: ${reason}`, remedyOf(config))
}

const remedyOf = (config: Place): string =>
  config.databaseUrl.startsWith('file:')
    ? `Stop the servers, keep a copy of ${nameOf(config)} and of the files beside it, and put the last backup in its place: skillpass-server restore FILE`
    : 'Rebuild what is named (reindex, alter table … validate constraint), or restore the last backup with pg_restore'

async function checkIntegrity({ read }: DatabaseToRead, config: Place): Promise<Outcome> {
  const faults = await listFaults(read)
  const name = nameOf(config)
  return faults.length > 0
    ? wrong(`${name}: ${some(faults)}`, remedyOf(config))
    : fine(`${name} is sound`)
}

function judgeSchema(
  { last, unknown, pending }: Awaited<ReturnType<typeof readSchema>>,
  config: Place,
): Outcome {
  if (last === undefined) {
    const remedy = 'Check DATABASE_URL; skillpass-server migrate up makes the tables'
    return wrong(`${nameOf(config)} holds no tables of Skillpass`, remedy)
  }
  if (unknown.length > 0) {
    const remedy = 'Use that version, or undo its migrations with it: skillpass-server migrate down'
    return wrong(`a newer Skillpass has migrated it (${some(unknown)})`, remedy)
  }
  return fine(pending === 0 ? `at ${last}` : `at ${last}; the next start applies ${pending} more`)
}

/** Checks that read rows, and so need the current schema. */
const rowChecks: Readonly<Record<string, (db: DatabaseToRead, config: Place) => Promise<Outcome>>> =
  {
    async references({ read }, config) {
      const broken = await listBrokenReferences(read)
      return broken.length > 0
        ? wrong(`rows refer to missing ones: ${some(broken)}`, remedyOf(config))
        : fine('every row has what it refers to')
    },
    async texts({ read }, config) {
      const changed: string[] = []
      let count = 0
      for await (const text of pagewise<StoredText>((last) => listStoredTexts(read, last))) {
        const { skillId, version, digest, readme } = text
        count++
        if (digestOf(readme) !== digest) changed.push(`${skillId} version ${version}`)
      }
      return judgeDigests({ what: 'versions', count, changed }, config)
    },
    async files(db, config) {
      const changed: string[] = []
      let count = 0
      for await (const blob of pagewise<BlobRecord>((last) =>
        listBlobsHere(db.read, last?.digest ?? '', 500),
      )) {
        count++
        if ((await digestOfBytes(openBlob({ db, objects: undefined }, blob))) !== blob.digest) {
          changed.push(blob.digest)
        }
      }
      return judgeDigests({ what: 'files', count, changed }, config)
    },
    async keys(db, config) {
      const missing = await listMissingKeys(db, config)
      return missing.length > 0
        ? wrong(
            `the key ${missing.join(', ')} is missing, which secrets are sealed with`,
            'Set it as ENCRYPTION_KEY, or append it there with a comma',
          )
        : fine('no key is missing')
    },
  }

const judgeDigests = (
  { what, count, changed }: { what: string; count: number; changed: readonly string[] },
  config: Place,
): Outcome =>
  changed.length > 0
    ? wrong(
        `${changed.length} ${what} are not what their digest names: ${some(changed)}`,
        remedyOf(config),
      )
    : fine(`all ${count} ${what} are what their digest names`)

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
