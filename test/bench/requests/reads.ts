import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../support/cleanup.ts'
import { skillsFile } from '../../support/corpus.ts'
import { type LoadResult, load, median } from '../load.ts'
import {
  besideServers,
  databaseIn,
  pinning,
  runOperator,
  startBenchServer,
  startScript,
} from '../processes.ts'
import { printTable } from '../table.ts'
import { type Asked, requestsOf, skillPaths, tasksAsked } from './read-requests.ts'

const rounds = 3

/**
 * Reads over HTTP on the real skills, as a ratio to a bare Express 5 handler that answers the same
 * bytes: search, resolve, fetch and by id, each server on one core.
 */
export async function benchReads(): Promise<void> {
  const { path: folder, remove } = await makeFolder()
  try {
    await runOperator(databaseIn(folder), 'import', skillsFile)
    const rows = await besideServers(async () => {
      const server = await startBenchServer(folder)
      try {
        return await measure(server.url, folder)
      } finally {
        await server.stop()
      }
    })
    printTable(
      `Reads on the real skills, requests a second (32 connections, each server ${pinning})`,
      ['read', 'skillpass', 'bare express', 'ratio', 'p50 ms', 'p99 ms'],
      rows,
    )
  } finally {
    await remove()
  }
}

async function measure(url: string, folder: string) {
  const rows: (string | number)[][] = []
  const file = join(folder, 'answers.json')
  for (const [kind, asked] of Object.entries({ ...tasksAsked(), ...(await skillPaths(url)) })) {
    await writeFile(file, JSON.stringify(await answersOf(url, asked.paths)))
    const floor = await startScript('requests/bare-express.js', file)
    rows.push([kind, ...(await compare(url, floor.url, asked).finally(floor.stop))])
  }
  return rows
}

/** Both servers in turn; medians over the rounds. */
async function compare(url: string, floorUrl: string, asked: Asked): Promise<number[]> {
  const floorRequests = asked.paths.map((path) => ({ path }))
  const requests = requestsOf(asked)
  await load(url, requests, { seconds: 2 })
  await load(floorUrl, floorRequests, { seconds: 2 })
  const runs: (LoadResult & { floor: number })[] = []
  for (let round = 0; round < rounds; round++) {
    const ours = await load(url, requests)
    const floor = await load(floorUrl, floorRequests)
    if (ours.failed + floor.failed > 0) throw new Error('a read failed')
    runs.push({ ...ours, floor: floor.perSecond })
  }
  const middle = (of: (run: (typeof runs)[number]) => number) => median(runs.map(of))
  return [
    middle(({ perSecond }) => perSecond),
    middle(({ floor }) => floor),
    middle(({ perSecond, floor }) => perSecond / floor),
    middle(({ p50 }) => p50),
    middle(({ p99 }) => p99),
  ]
}

/** Path, content type and text of each answer, asked for one after the other. */
async function answersOf(url: string, paths: readonly string[]) {
  const answers: (readonly [string, string, string])[] = []
  for (const path of paths) {
    const answer = await fetch(url + path)
    answers.push([path, answer.headers.get('content-type') ?? '', await answer.text()])
  }
  return answers
}
