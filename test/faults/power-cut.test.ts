import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../support/cleanup.ts'
import { createTestDatabase } from '../support/databases.ts'
import { serverAt } from '../support/oauth-client.ts'
import { startProcess } from '../support/processes.ts'
import { seededRandom } from '../support/random.ts'
import { isLong, reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { prepareFixture } from './load/fixture.ts'
import { type Acknowledged, inspect, writeUntil } from './power-cut/acknowledged.ts'
import { createDisk } from './power-cut/disk.ts'
import { buildRecorder, canRecord, type Operation, readRecording } from './power-cut/recording.ts'

const states = roundsOf(12)
const writes = isLong ? 3_000 : 240

describe.skipIf(!canRecord)('a power cut on SQLite', () => {
  test('a power cut loses no acknowledged write and leaves the database intact, whichever unsynced or torn writes survive', async () => {
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
