import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LoadRequest, type LoadResult, load, median } from '../load.ts'
import { type Cores, startScript } from '../processes.ts'
import type { Asked } from './read-requests.ts'

const rounds = 3

/** Medians over the rounds: requests a second, and milliseconds of ours. */
export interface FloorComparison {
  ours: number
  floor: number
  ratio: number
  p50: number
  p99: number
}

/**
 * Throughput of a running server for what is asked, as a ratio to a bare Express 5 handler that answers
 * the same bytes: in turn with it, the median of three rounds. The folder keeps the answers.
 */
export async function compareWithFloor(
  url: string,
  asked: Asked,
  folder: string,
  cores: Cores = 'one',
): Promise<FloorComparison> {
  const file = join(folder, 'answers.json')
  await writeFile(file, JSON.stringify(await answersOf(url, asked.paths)))
  const floor = await startScript('requests/bare-express.js', file, cores)
  try {
    return await compare(url, floor.url, asked)
  } finally {
    await floor.stop()
  }
}

async function compare(url: string, floorUrl: string, { paths, anew }: Asked) {
  const floorRequests: LoadRequest[] = paths.map((path) => ({ path }))
  const requests = anew ? paths.map((path) => ({ path, anew: () => anew(path) })) : floorRequests
  await load(url, requests, { seconds: 2 })
  await load(floorUrl, floorRequests, { seconds: 2 })
  const runs: (LoadResult & { floor: number; ratio: number })[] = []
  for (let round = 0; round < rounds; round++) {
    const ours = await load(url, requests)
    const floor = await load(floorUrl, floorRequests)
    if (ours.failed + floor.failed > 0) throw new Error('a read failed')
    runs.push({ ...ours, floor: floor.perSecond, ratio: ours.perSecond / floor.perSecond })
  }
  const middle = (of: (run: (typeof runs)[number]) => number) => median(runs.map(of))
  return {
    ours: middle((run) => run.perSecond),
    floor: middle((run) => run.floor),
    ratio: middle((run) => run.ratio),
    p50: middle((run) => run.p50),
    p99: middle((run) => run.p99),
  }
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
