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
import { type RequestPaths, requestsOf, skillPaths, taskRequests } from './read-requests.ts'

const rounds = 3

/**
 * Measures search, resolve, fetch and get over HTTP on the corpus. Prints ratios to an Express
 * 5 application that sends the same bytes. Each server has one core.
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
      `Reads on the corpus, requests per second (32 connections, each server ${pinning})`,
      ['read', 'skillpass', 'bare express', 'ratio', 'p50 ms', 'p99 ms'],
      rows,
    )
  } finally {
    await remove()
  }
}

async function measure(url: string, folder: string) {
  const rows: (string | number)[][] = []
  const file = join(folder, 'responses.json')
  for (const [kind, requestPaths] of Object.entries({
    ...taskRequests(),
    ...(await skillPaths(url)),
  })) {
    await writeFile(file, JSON.stringify(await responsesOf(url, requestPaths.paths)))
    const baseline = await startScript('requests/bare-express.js', file)
    rows.push([kind, ...(await compare(url, baseline.url, requestPaths).finally(baseline.stop))])
  }
  return rows
}

/** Measures both servers alternately. Returns medians. */
async function compare(
  url: string,
  baselineUrl: string,
  requestPaths: RequestPaths,
): Promise<number[]> {
  const baselineRequests = requestPaths.paths.map((path) => ({ path }))
  const requests = requestsOf(requestPaths)
  await load(url, requests, { seconds: 2 })
  await load(baselineUrl, baselineRequests, { seconds: 2 })
  const runs: (LoadResult & { baseline: number })[] = []
  for (let round = 0; round < rounds; round++) {
    const ours = await load(url, requests)
    const baseline = await load(baselineUrl, baselineRequests)
    if (ours.failed + baseline.failed > 0) throw new Error('a read failed')
    runs.push({ ...ours, baseline: baseline.perSecond })
  }
  const medianOf = (of: (run: (typeof runs)[number]) => number) => median(runs.map(of))
  return [
    medianOf(({ perSecond }) => perSecond),
    medianOf(({ baseline }) => baseline),
    medianOf(({ perSecond, baseline }) => perSecond / baseline),
    medianOf(({ p50 }) => p50),
    medianOf(({ p99 }) => p99),
  ]
}

/** Returns path, content type and text of each response. */
async function responsesOf(url: string, paths: readonly string[]) {
  const responses: (readonly [string, string, string])[] = []
  for (const path of paths) {
    const response = await fetch(url + path)
    responses.push([path, response.headers.get('content-type') ?? '', await response.text()])
  }
  return responses
}
