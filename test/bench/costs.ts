import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Applied } from '@skillpass/server/apply/apply'
import { endFile, makeFolder } from '../support/cleanup.ts'
import { startCollector } from '../support/collector.ts'
import { skillsFile } from '../support/corpus.ts'
import { type LoadRequest, load, median } from './load.ts'
import { declaration } from './oauth/seed.ts'
import { basic, form } from './oauth/work.ts'
import {
  type BenchServer,
  besideServers,
  pinning,
  runCommand,
  snapshotFolder,
  startBenchServer,
} from './processes.ts'
import { registerOne, skill } from './publisher.ts'
import { type Asked, newTasks, skillPaths, tasksAsked } from './requests/read-requests.ts'
import { printTable } from './table.ts'

const rounds = 3
const seconds = 2
const warmUpSeconds = 2

/** Without a collector of traces, and with one. */
const sides = ['without', 'traced'] as const
type Side = (typeof sides)[number]

/** What a server took, by what was measured: milliseconds, and bytes of memory. */
type Figures = Map<string, number>

/**
 * What a service is sized by: CPU time of each kind of request, memory and disk of a skill, and the
 * start; and what traces add, a server that sends them in turn with one that does not.
 */
export async function benchCosts(): Promise<void> {
  const folder = await makeFolder()
  const empty = await makeFolder()
  try {
    const file = join(folder.path, 'declaration.json')
    await writeFile(file, JSON.stringify(declaration))
    const applied = JSON.parse(await runCommand(folder.path, 'apply', file, '--json')) as Applied
    const printed = await runCommand(folder.path, 'import', skillsFile, '--json')
    const { imported } = JSON.parse(printed) as { imported: number }
    await besideServers(() => measureAll(folder.path, empty.path, { applied, imported }))
  } finally {
    await endFile()
    await folder.remove()
    await empty.remove()
  }
}

interface Filled {
  readonly applied: Applied
  readonly imported: number
}

async function measureAll(folder: string, empty: string, { applied, imported }: Filled) {
  const bare = await startBenchServer(empty)
  const bareMemory = await bare.memory()
  await bare.stop()
  const onDisk = bytesOf(join(folder, 'skillpass.db'))
  const collector = await startCollector()
  const figures: Record<Side, Figures[]> = { without: [], traced: [] }
  for (let round = 0; round < rounds; round++) {
    for (const side of sides) {
      const env = side === 'traced' ? { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } : {}
      const server = await startBenchServer(folder, 'one', { env })
      figures[side].push(await measureServer(server, applied).finally(server.stop))
      collector.spans.length = collector.bodies.length = 0
    }
  }
  const middle = (side: Side, name: string) =>
    median(figures[side].map((each) => each.get(name) ?? Number.NaN))
  printTable(
    `A server with ${imported} skills on SQLite, ${pinning}: ms of CPU a request`,
    ['what', 'ms', 'traced', 'difference'],
    [...(figures.without[0]?.keys() ?? [])]
      .filter((name) => name !== 'memory')
      .map((name) => {
        const [plain, traced] = [middle('without', name), middle('traced', name)]
        return [name, plain.toFixed(3), traced.toFixed(3), (traced - plain).toFixed(3)]
      }),
  )
  const perSkill = (bytes: number) => bytes / imported / 1000
  printTable(
    'A skill, and a server without any',
    ['what', 'figure', 'unit'],
    [
      ['memory of a skill', perSkill(middle('without', 'memory') - bareMemory), 'kB'],
      ['database of a skill', perSkill(onDisk), 'kB'],
      ['snapshot of a skill', perSkill(bytesOf(snapshotFolder(folder))), 'kB'],
      ['memory of an empty server', bareMemory / 1e6, 'MB'],
      [
        'memory that traces add',
        (middle('traced', 'memory') - middle('without', 'memory')) / 1e6,
        'MB',
      ],
    ],
  )
}

async function measureServer(server: BenchServer, applied: Applied): Promise<Figures> {
  const figures: Figures = new Map([
    ['start until ready (elapsed)', server.startMs],
    ['start until ready', (await server.cpuSeconds()) * 1000],
    ['memory', await server.memory()],
  ])
  for (const [kind, requests] of Object.entries(await requestsOf(server.url, applied))) {
    await load(server.url, requests, { seconds: warmUpSeconds })
    const before = await server.cpuSeconds()
    const { answered, failed } = await load(server.url, requests, { seconds })
    if (failed > 0) throw new Error(`${failed} of ${answered} requests of ${kind} failed`)
    figures.set(kind, (((await server.cpuSeconds()) - before) * 1000) / answered)
  }
  return figures
}

let serial = 0

async function requestsOf(url: string, { apps }: Applied): Promise<Record<string, LoadRequest[]>> {
  const bot = apps.find(({ name }) => name === 'Helper bot')?.production
  const authorization = basic(bot?.clientId ?? '', bot?.clientSecret ?? '')
  const token = form('/oauth/token', authorization, 'grant_type=client_credentials')
  const apiKey = await registerOne(url, `bench-${++serial}-${Date.now()}`)
  const publish: LoadRequest = {
    path: '/api/v1/skills',
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: () => JSON.stringify(skill(++serial)),
  }
  const { search, 'resolve again': again } = tasksAsked()
  const { fetch } = await skillPaths(url)
  const read = (asked: Asked | undefined): LoadRequest[] => {
    const { paths = [], anew } = asked ?? {}
    return paths.map((path) => ({ path, ...(anew && { anew: () => anew(path) }) }))
  }
  return {
    resolve: read(newTasks()),
    'resolve again': read(again),
    search: read(search),
    markdown: read(fetch),
    token: [...token.requests],
    publish: [publish],
  }
}

/** What a file or folder takes on disk. */
const bytesOf = (path: string): number =>
  Number(execFileSync('du', ['-sb', path], { encoding: 'utf8' }).split('\t')[0])
