import { readdir } from 'node:fs/promises'
import { makeFolder } from '../../support/cleanup.ts'
import type { CorpusSkill } from '../../support/corpus.ts'
import { splitAtBars } from '../../support/words.ts'
import { asImported, fillDatabase } from '../fill-database.ts'
import { grow } from '../grown-corpus.ts'
import type { LoadResult } from '../load.ts'
import {
  type BenchServer,
  besideServers,
  clientOf,
  pinning,
  registerOne,
  snapshotFolder,
  startBenchServer,
} from '../processes.ts'
import { resolveNew } from '../requests/read-requests.ts'
import { printTable } from '../table.ts'

/** Measurements of a server on one core. */
export interface ServingFigures {
  skills: number
  /** Time from process start to ready, ms. */
  startFromDatabase: number
  /** Start from a snapshot, ms. Undefined if the server wrote none. */
  startFromSnapshot: number | undefined
  /** Live memory in bytes, minus that of a server without skills. */
  memory: number
  /** Resolve over one connection and over eight. */
  one: LoadResult
  eight: LoadResult
  /** Resolve over one connection while 32 clients publish, and the longest event loop delay, ms. */
  resolve: LoadResult
  maxLoopDelay: number
}

const published = 1000
const publishers = 32
/** How long resolve is measured meanwhile, shorter than publishing takes. */
const resolveSeconds = 2
/** A snapshot of a million skills takes several gigabytes. */
const snapshotTimeoutMs = 120_000

/** Serves `size` skills from a new database and measures the server from another core. */
export async function measureServing(
  real: readonly CorpusSkill[],
  size: number,
): Promise<ServingFigures> {
  const folder = await makeFolder()
  const empty = await makeFolder()
  try {
    const skills = await fillDatabase(folder.path, grow(real, size))
    const newSkills = [...grow(real, real.length + published, 7)].slice(real.length)
    return await besideServers(async () => {
      const bare = await startBenchServer(empty.path)
      const bareMemory = await bare.memory()
      await bare.stop()
      const { memory, ...figures } = await measure(folder.path, skills, newSkills)
      return { ...figures, memory: memory - bareMemory }
    })
  } finally {
    await folder.remove()
    await empty.remove()
  }
}

async function measure(
  folder: string,
  skills: number,
  newSkills: readonly CorpusSkill[],
): Promise<ServingFigures> {
  const cold = await startBenchServer(folder)
  const hasSnapshot = await untilSnapshot(snapshotFolder(folder))
  await cold.stop()

  const server = await startBenchServer(folder)
  try {
    const memory = await server.memory()
    // Warm up the JIT compiler.
    await resolveNew(server.url, { connections: 1, seconds: 8 })
    const one = await resolveNew(server.url, { connections: 1, seconds: 5 })
    const eight = await resolveNew(server.url, { connections: 8, seconds: 5 })
    return {
      skills,
      startFromDatabase: cold.startMs,
      startFromSnapshot: hasSnapshot ? server.startMs : undefined,
      memory,
      one,
      eight,
      ...(await measurePublishing(server, newSkills)),
    }
  } finally {
    await server.stop()
  }
}

/** Publishes the skills as a new agent and measures resolve meanwhile. */
async function measurePublishing(server: BenchServer, skills: readonly CorpusSkill[]) {
  const apiKey = await registerOne(server.url, 'publisher')
  const { skills: registry } = clientOf(server.url, apiKey)
  await server.maxLoopDelay()
  const rest = skills.flatMap((skill) => asImported(skill) ?? [])[Symbol.iterator]()
  const publishRest = async () => {
    for (const { name, slug, description, tags, readme } of rest) {
      await registry.publish({ body: { name, slug, description, tags, readme } })
    }
  }
  const [resolve] = await Promise.all([
    resolveNew(server.url, { connections: 1, seconds: resolveSeconds }),
    ...Array.from({ length: publishers }, publishRest),
  ])
  return { resolve, maxLoopDelay: await server.maxLoopDelay() }
}

/** Waits for a finished snapshot. Returns whether one was written. */
async function untilSnapshot(folder: string): Promise<boolean> {
  const end = performance.now() + snapshotTimeoutMs
  while (performance.now() < end) {
    const names: string[] = await readdir(folder).catch(() => [])
    if (names.includes('catalogue')) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return false
}

export function printServing(figures: readonly ServingFigures[]): void {
  printTable(
    `Resolve over HTTP, ms (server ${pinning}, closed loop of 1 and of 8 connections)`,
    ['skills', '1: p50', 'p99', 'per second', '8: p50', 'p99', 'per second', 'kB per skill'],
    figures.map(({ skills, one, eight, memory }) => [
      skills,
      ...[one, eight].flatMap(({ p50, p99, perSecond }) => [p50, p99, Math.round(perSecond)]),
      memory / 1000 / skills,
    ]),
  )
  printTable(
    `Start and publishing (server ${pinning})`,
    splitAtBars(
      'skills¦start from database, s¦skills/s¦from snapshot, s',
      'resolve while 32 publish: p50 ms¦p99 ms¦longest event loop delay, ms',
    ),
    figures.map(({ skills, startFromDatabase, startFromSnapshot, resolve, maxLoopDelay }) => [
      skills,
      startFromDatabase / 1000,
      Math.round((1000 * skills) / startFromDatabase),
      startFromSnapshot === undefined ? 'none' : startFromSnapshot / 1000,
      ...[resolve.p50, resolve.p99, maxLoopDelay],
    ]),
  )
}
