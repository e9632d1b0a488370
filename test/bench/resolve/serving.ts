import { readdir } from 'node:fs/promises'
import { makeFolder } from '../../support/cleanup.ts'
import type { CorpusSkill } from '../../support/corpus.ts'
import { fillDatabase } from '../fill-database.ts'
import { grow } from '../grown-corpus.ts'
import { besideServers, snapshotFolder, startBenchServer } from '../processes.ts'
import { compareWithFloor, type FloorComparison } from '../requests/floor.ts'
import { newTasks, tasksAsked } from '../requests/read-requests.ts'
import { closedLoop, type LoopResult } from './closed-loop.ts'
import { measurePublishing, type PublishingFigures } from './publishing.ts'

/** What a server with a number of skills does on one core. */
export interface ServingFigures extends PublishingFigures {
  skills: number
  /** From the start of the process until it is ready, milliseconds. */
  startFromDatabase: number
  /** Start from a snapshot, ms; nothing where the server made none. */
  startFromSnapshot: number | undefined
  /** Memory of the process above that of a server without skills, bytes. */
  memory: number
  /** Resolve, asked over one connection and over eight. */
  one: LoopResult
  eight: LoopResult
  /** By what is asked. */
  throughput: Record<string, FloorComparison> | undefined
}

const published = 1000
/** A snapshot of a million skills is some gigabytes. */
const snapshotPatienceMs = 120_000

/** Serves `size` grown skills from a database of their own and measures it from the other core. */
export async function measureServing(
  real: readonly CorpusSkill[],
  size: number,
  { throughput }: { throughput: boolean },
): Promise<ServingFigures> {
  const folder = await makeFolder()
  const empty = await makeFolder()
  try {
    const skills = await fillDatabase(folder.path, grow(real, size))
    const news = [...grow(real, real.length + published, 7)].slice(real.length)
    return await besideServers(() =>
      measure({ folder: folder.path, empty: empty.path, skills, news, throughput }),
    )
  } finally {
    await folder.remove()
    await empty.remove()
  }
}

interface Setting {
  folder: string
  empty: string
  skills: number
  news: readonly CorpusSkill[]
  throughput: boolean
}

async function measure({
  folder,
  empty,
  skills,
  news,
  throughput,
}: Setting): Promise<ServingFigures> {
  const bare = await startBenchServer(empty)
  const bareMemory = await bare.memory()
  await bare.stop()

  const cold = await startBenchServer(folder)
  const hasSnapshot = await untilSnapshot(snapshotFolder(folder))
  await cold.stop()

  const server = await startBenchServer(folder)
  try {
    const tasks = newTasks()
    // until what runs often is compiled, on the core that also answers
    await closedLoop(server.url, tasks, { connections: 1, seconds: 8 })
    const one = await closedLoop(server.url, tasks, { connections: 1, seconds: 5 })
    const eight = await closedLoop(server.url, tasks, { connections: 8, seconds: 5 })
    const memory = (await server.memory()) - bareMemory
    const compared = throughput ? await compareReads(server.url, folder) : undefined
    return {
      skills,
      startFromDatabase: cold.startMs,
      startFromSnapshot: hasSnapshot ? server.startMs : undefined,
      memory,
      one,
      eight,
      throughput: compared,
      ...(await measurePublishing(server, news)),
    }
  } finally {
    await server.stop()
  }
}

async function compareReads(url: string, folder: string) {
  const compared: Record<string, FloorComparison> = {}
  for (const [kind, asked] of Object.entries(tasksAsked())) {
    compared[kind] = await compareWithFloor(url, asked, folder)
  }
  return compared
}

/** Waits for the manifest, which is written last. */
async function untilSnapshot(folder: string): Promise<boolean> {
  const end = performance.now() + snapshotPatienceMs
  while (performance.now() < end) {
    const names: string[] = await readdir(folder).catch(() => [])
    if (names.includes('catalogue')) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}
