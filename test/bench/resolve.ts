/**
 * Ranking quality, speed and memory of the index against SQLite's FTS5 and MiniSearch, on real
 * skills and the tasks of their authors.
 *
 *     node --import tsx --conditions=@skillpass/source test/bench/resolve.ts
 */
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createNamedIndex, type NamedIndex, type NamedSkill } from '../support/named-index.ts'
import {
  corpusMissing,
  readSkills,
  readTasks,
  seededRandom,
  shuffled,
  type Task,
} from './resolve-data.ts'
import { createFullText, createMiniSearch, type Engine } from './resolve-peers.ts'
import { printTable } from './table.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const THRESHOLD = 0.3

export async function benchResolve(): Promise<void> {
  const missing = corpusMissing()
  if (missing !== undefined) {
    console.log(`Skipped resolve: ${missing}.`)
    return
  }
  const skills = readSkills()
  const tasks = readTasks()
  const positives = tasks.filter(({ kind }) => kind === 'positive')
  const index = createNamedIndex()
  const rows = [
    measure('Skillpass', ours(index), skills, positives, 4),
    measure('SQLite FTS5, all fields', createFullText(), skills, positives, 1),
    measure('MiniSearch, name + description', createMiniSearch(), skills, positives, 1),
  ]
  printTable(
    `Ranking ${skills.length} skills for ${positives.length} tasks`,
    [
      'engine',
      'nDCG@10',
      'H@1',
      'H@10',
      'ms mean',
      'p50',
      'p99',
      'build s',
      'skills/s',
      'kB a skill',
    ],
    rows,
  )
  const tenth = createNamedIndex()
  const chosen = shuffled(skills, seededRandom(10)).slice(0, Math.round(skills.length / 10))
  for (const skill of chosen) tenth.put(skill)
  printTable(
    `Confidence at threshold ${THRESHOLD} (weights fitted on these tasks; folds: fit-confidence.ts)`,
    ['catalogue', 'ECE of the first', 'out of domain silent', 'right first kept', 'tasks'],
    [confidenceRow(index, skills.length, tasks), confidenceRow(tenth, chosen.length, tasks)],
  )
  printTable('Search', ['q', 'matches', 'µs'], searchRows(index))
  printTable('Changes at full size', ['what', 'ms mean', 'ms worst'], changeRows(index, skills))
}

function ours(index: NamedIndex): Engine {
  return {
    build: (skills) => {
      for (const skill of skills) index.put(skill)
    },
    // no threshold: quality is of the ranking; a tiny one, as an exact count of all matches costs
    rank: (task) =>
      index.resolve(task, { limit: 10, threshold: Number.MIN_VALUE }).hits.map(({ id }) => id),
  }
}

function measure(
  name: string,
  engine: Engine,
  skills: readonly NamedSkill[],
  tasks: readonly Task[],
  passes: number,
): (string | number)[] {
  const before = memory()
  const begun = performance.now()
  engine.build(skills)
  const seconds = (performance.now() - begun) / 1000
  const bytes = engine.bytes?.() ?? memory() - before
  let ndcg = 0
  let first = 0
  let ten = 0
  const times: number[] = []
  for (let pass = 0; pass < passes; pass++) {
    for (const { task, relevant } of tasks) {
      const start = performance.now()
      const ids = engine.rank(task)
      // the first pass of several warms up
      if (pass > 0 || passes === 1) times.push(performance.now() - start)
      if (pass > 0) continue
      const gains = ids.map((id, rank) => (relevant.includes(id) ? 1 / Math.log2(rank + 2) : 0))
      const ideal = relevant.slice(0, 10).reduce((sum, _, rank) => sum + 1 / Math.log2(rank + 2), 0)
      ndcg += gains.reduce((sum, gain) => sum + gain, 0) / ideal
      if (gains[0] === 1) first++
      if (gains.some((gain) => gain > 0)) ten++
    }
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? 0
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  return [
    name,
    (ndcg / tasks.length).toFixed(3),
    (first / tasks.length).toFixed(3),
    (ten / tasks.length).toFixed(3),
    mean,
    at(0.5),
    at(0.99),
    seconds,
    Math.round(skills.length / seconds),
    bytes / 1000 / skills.length,
  ]
}

/** After a few collections: what V8 caches goes only with the later ones. */
function memory(): number {
  for (let i = 0; i < 4; i++) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Tasks whose skills are all outside the catalogue are left out: who knows what serves them. */
function confidenceRow(
  index: NamedIndex,
  size: number,
  tasks: readonly Task[],
): (string | number)[] {
  const bins = Array.from({ length: 10 }, () => ({ confidence: 0, right: 0 }))
  let asked = 0
  let right = 0
  let kept = 0
  let strangers = 0
  let silent = 0
  for (const task of tasks) {
    const [hit] = index.resolve(task.task, { limit: 1, threshold: 0 }).hits
    const confidence = hit?.confidence ?? 0
    if (task.negative_type === 'out-of-domain') {
      strangers++
      if (confidence < THRESHOLD) silent++
    }
    if (task.kind !== 'positive' || !task.relevant.some((id) => index.has(id))) continue
    const isRight = hit !== undefined && task.relevant.includes(hit.id)
    const bin = bins[Math.min(9, Math.floor(confidence * 10))]
    if (bin === undefined) continue
    asked++
    bin.confidence += confidence
    if (!isRight) continue
    bin.right++
    right++
    if (confidence >= THRESHOLD) kept++
  }
  const error = bins.reduce((sum, bin) => sum + Math.abs(bin.confidence - bin.right), 0) / asked
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`
  return [
    `${size} skills`,
    error.toFixed(3),
    percent(silent / strangers),
    percent(kept / right),
    asked,
  ]
}

function searchRows(index: NamedIndex): (string | number)[][] {
  const queries = ['kubernetes', 'pdf form', 'code review', 'create a slack bot']
  for (let i = 0; i < 200; i++) for (const q of queries) index.search(q)
  return queries.map((q) => {
    const times = Array.from({ length: 101 }, () => {
      const start = performance.now()
      index.search(q)
      return performance.now() - start
    }).sort((a, b) => a - b)
    return [q, index.search(q).length, (times[50] ?? 0) * 1000]
  })
}

/** Updates in a random order, enough to renumber the documents more than once. */
function changeRows(index: NamedIndex, skills: readonly NamedSkill[]): (string | number)[][] {
  const updates = shuffled(skills, seededRandom(3)).slice(0, 6_000)
  let worst = 0
  const begun = performance.now()
  for (const skill of updates) {
    const start = performance.now()
    index.put(skill)
    worst = Math.max(worst, performance.now() - start)
  }
  return [['replace a skill', (performance.now() - begun) / updates.length, worst]]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await benchResolve()
