import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import SqliteConnection from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/databases.ts'
import { accountToken, type Http, serverAt, tokensOf } from '../support/oauth-client.ts'
import { startProcess } from '../support/processes.ts'
import { seededRandom } from '../support/random.ts'
import { isLong, reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { ask } from '../support/skills.ts'
import { checkIntegrity } from './integrity.ts'
import { type LoadFixture, prepareFixture } from './load/fixture.ts'
import { createDisk } from './power-cut/disk.ts'
import {
  buildRecorder,
  canRecord,
  type Operation,
  readRecording,
  recorderNow,
} from './power-cut/recording.ts'

const states = roundsOf(12)
const writes = isLong ? 3_000 : 240

describe.skipIf(!canRecord)('a power cut on SQLite', () => {
  test('a power cut loses no acknowledged write, whichever unsynced or torn writes survive', async () => {
    const recorded = await record()
    const found = await cutPower(recorded)
    const checked = found.reduce((sum, state) => sum + state.checked, 0)
    const lost = found.flatMap((state) => state.lost)
    reportFigure(
      `${found.length} power cuts in ${recorded.operations.length} recorded file operations: ${checked} acknowledged writes checked, ${lost.length} lost`,
    )
    expect(found.map(({ integrity }) => integrity).filter((said) => said !== 'ok')).toEqual([])
    expect(lost).toEqual([])
    expect(checked).toBeGreaterThan(states * 20)
  })
})

interface Recording {
  readonly operations: readonly Operation[]
  /** The files before the first operation. */
  readonly initial: ReadonlyMap<string, Buffer>
  readonly databaseFile: string
  readonly acknowledged: readonly Acknowledged[]
}

/** Records the file operations of a server while clients write and while it shuts down. */
async function record(): Promise<Recording> {
  const database = await createTestDatabase('sqlite')
  const databaseFile = database.url.slice('file:'.length)
  const watched = join(databaseFile, '..')
  const own = await makeFolder()
  try {
    const before = await startProcess({ databaseUrl: database.url })
    const fixture = await prepareFixture(database.url, before.url)
    await before.end('SIGTERM')
    const initial = new Map<string, Buffer>()
    for (const name of await readdir(watched)) {
      initial.set(join(watched, name), await readFile(join(watched, name)))
    }
    const { env, log } = await buildRecorder(own.path, watched)
    const server = await startProcess({ databaseUrl: database.url, env })
    const acknowledged = await writeUntil(writes, { server: serverAt(server.url), fixture, seed })
    await server.end('SIGTERM')
    return { operations: await readRecording(log), initial, databaseFile, acknowledged }
  } finally {
    await own.remove()
    await database.remove()
  }
}

/** Simulates a power cut at random moments, one per state, and inspects the files that remain. */
async function cutPower({ operations, initial, databaseFile, acknowledged }: Recording) {
  const random = seededRandom(seed)
  const first = operations.findIndex(({ at }) => at > (acknowledged[0]?.at ?? 0))
  const moments = Array.from({ length: states }, () =>
    Math.floor(first + random() * (operations.length - first)),
  ).sort((a, b) => a - b)
  const disk = createDisk(initial)
  const folder = await makeFolder()
  const found = []
  let done = 0
  try {
    for (const moment of moments) {
      for (const operation of operations.slice(done, moment)) disk.apply(operation)
      done = moment
      const before = operations[moment]?.at ?? Number.POSITIVE_INFINITY
      const promised = acknowledged.filter(({ at }) => at < before)
      for (const name of await readdir(folder.path)) await rm(join(folder.path, name))
      for (const [path, content] of disk.afterPowerCut(random)) {
        await writeFile(join(folder.path, basename(path)), content)
      }
      const left = inspect(join(folder.path, basename(databaseFile)), promised)
      found.push({ ...left, checked: promised.length })
    }
  } finally {
    await folder.remove()
  }
  return found
}

/** An acknowledged write that no later write undoes. */
interface Acknowledged {
  readonly at: number
  readonly kind: 'skill' | 'token'
  /** The row, in the form of `rowsOf`. */
  readonly row: string
}

/** Large enough to cause repeated WAL checkpoints. */
const readmeBytes = 30_000
const clients = 8

/** Lets clients write until `enough` writes are acknowledged. */
async function writeUntil(
  enough: number,
  { server, fixture, seed }: { server: Http; fixture: LoadFixture; seed: number },
): Promise<Acknowledged[]> {
  const random = seededRandom(seed)
  const acknowledged: Acknowledged[] = []
  const note = (kind: Acknowledged['kind'], row: string) => {
    acknowledged.push({ at: recorderNow(), kind, row })
  }
  const post = async (path: string, body: object, key?: string) => {
    const response = await ask(server, 'POST', path, { body, ...(key && { key }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
    return (JSON.parse(text) as { data: Record<string, string> }).data
  }
  const client = async (number: number) => {
    const { apiKey } = await post('/api/v1/agents/register', { username: `writer-${number}` })
    for (let turn = 0; acknowledged.length < enough; turn++) {
      const slug = `s-${number}-${turn}`
      const readme = `# ${slug}\n\n`.padEnd(random() * readmeBytes, `How to do ${slug}. `)
      const { id } = await post('/api/v1/skills', { name: slug, slug, readme }, apiKey)
      note('skill', `${id} ${readme.length}`)
      const token = await accountToken(server, fixture.reporter, fixture.accountId)
      note('token', keyOf(tokensOf(token).access_token))
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return acknowledged
}

/** The stored key of an access token: its date and its hash. */
const keyOf = (token: string) =>
  token.slice(4, 12) + createHash('sha256').update(token).digest('base64url')

/** Queries for the rows of each kind. */
const rowsOf: Readonly<Record<Acknowledged['kind'], string>> = {
  skill: `select s.id || ' ' || length(v.readme) from skills s join skill_versions v on v.skill_id = s.id`,
  token: 'select key from access_tokens',
}

/** Opens a database as a server would, and returns its integrity and the missing writes. */
function inspect(
  file: string,
  acknowledged: readonly Acknowledged[],
): { integrity: string; lost: Acknowledged[] } {
  try {
    // The first connection runs the recovery, which requires write access.
    const db = new SqliteConnection(file)
    const stored = new Set(
      Object.entries(rowsOf).flatMap(([kind, query]) =>
        db
          .prepare<[], string>(query)
          .pluck()
          .all()
          .map((row) => `${kind} ${row}`),
      ),
    )
    db.close()
    const lost = acknowledged.filter(({ kind, row }) => !stored.has(`${kind} ${row}`))
    return { integrity: checkIntegrity(`file:${file}`), lost }
  } catch (error) {
    return { integrity: String(error), lost: [] }
  }
}
