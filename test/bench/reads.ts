import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type LoadRequest, load, median } from './load.ts'
import { corpus, makeFolder, root, runCommand, startBenchServer, startScript } from './processes.ts'
import { printTable } from './table.ts'

/** Different requests of each kind, so that no answer is simply the last one again. */
const variety = 400
const rounds = 3

/**
 * Reads over HTTP on the real skills, as a ratio to a bare Express 5 handler that answers the same
 * bytes: search, resolve, fetch and by id, in turn with the floor, the median of three rounds.
 */
export async function benchReads(): Promise<void> {
  const folder = await makeFolder()
  try {
    await runCommand(folder.path, 'import', corpus)
    const server = await startBenchServer(folder.path)
    const kinds = await requestsOf(server.url)
    const rows: (string | number)[][] = []
    for (const [kind, paths] of Object.entries(kinds)) {
      const file = join(folder.path, `${kind}.json`)
      await writeFile(file, JSON.stringify(await answersOf(server.url, paths)))
      const floor = await startScript('bare-express.js', file)
      rows.push([kind, ...(await compare(server.url, floor.url, paths))])
      await floor.stop()
    }
    await server.stop()
    printTable(
      'Reads on the real skills, requests a second (32 connections)',
      ['read', 'skillpass', 'bare express', 'ratio', 'p50 ms', 'p99 ms'],
      rows,
    )
  } finally {
    await folder.remove()
  }
}

async function compare(url: string, floorUrl: string, paths: string[]) {
  const requests: LoadRequest[] = paths.map((path) => ({ path }))
  await load(url, requests, { seconds: 2 })
  await load(floorUrl, requests, { seconds: 2 })
  const ours = []
  const ratios = []
  const floors = []
  for (let round = 0; round < rounds; round++) {
    const mine = await load(url, requests)
    const floor = await load(floorUrl, requests)
    if (mine.failed + floor.failed > 0) throw new Error('a read failed')
    ours.push(mine)
    floors.push(floor.perSecond)
    ratios.push(mine.perSecond / floor.perSecond)
  }
  return [
    median(ours.map((run) => run.perSecond)),
    median(floors),
    median(ratios),
    median(ours.map((run) => run.p50)),
    median(ours.map((run) => run.p99)),
  ]
}

async function requestsOf(url: string): Promise<Record<string, string[]>> {
  const queries = (await readFile(join(root, '../shared/data/queries.dev.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { task: string }).task)
    .slice(0, variety)
  const skills: { id: string; fetchUrl: string }[] = []
  for (let page = 1; skills.length < variety; page++) {
    const answer = await fetch(`${url}/api/v1/skills/search?limit=50&page=${page}`)
    skills.push(...((await answer.json()) as { data: typeof skills }).data)
  }
  const words = queries.map((task) => task.split(/\s+/).slice(0, 3).join(' ').slice(0, 200))
  return {
    search: words.map((q) => `/api/v1/skills/search?${new URLSearchParams({ q })}`),
    resolve: queries.map((task) => `/api/v1/skills/resolve?${new URLSearchParams({ task })}`),
    fetch: skills.map((skill) => new URL(skill.fetchUrl)).map((at) => at.pathname + at.search),
    'by id': skills.map((skill) => `/api/v1/skills/${skill.id}`),
  }
}

const answersOf = (url: string, paths: string[]) =>
  Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(url + path)
      return [path, answer.headers.get('content-type') ?? '', await answer.text()] as const
    }),
  )
