import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { root } from './processes.ts'

/** How good the first ten of an answer are, by the tasks' own judgement. */
export interface Quality {
  /** Normalised discounted cumulative gain of the first ten, over all relevant skills. */
  ndcg: number
  /** Share of tasks with a relevant skill first. */
  first: number
  /** Share of tasks with a relevant skill among the ten. */
  ten: number
}

/** Adds up the quality of one answer after the other. */
export function createQualityMeter() {
  let tasks = 0
  let ndcg = 0
  let first = 0
  let ten = 0
  function addRanks(ranks: readonly number[], relevant: number): void {
    const shown = ranks.filter((rank) => rank < 10)
    const ideal = Array.from({ length: Math.min(10, relevant) }, (_, rank) => rank)
    tasks++
    ndcg += gainOf(shown) / gainOf(ideal)
    if (shown.includes(0)) first++
    if (shown.length > 0) ten++
  }
  return {
    add(ids: readonly string[], relevant: readonly string[]): void {
      addRanks(
        ids.flatMap((id, rank) => (relevant.includes(id) ? [rank] : [])),
        relevant.length,
      )
    },
    /** Quality by the ranks, from 0, of the relevant skills that were found. */
    addRanks,
    mean: (): Quality => ({ ndcg: ndcg / tasks, first: first / tasks, ten: ten / tasks }),
  }
}

const gainOf = (ranks: readonly number[]): number =>
  ranks.reduce((sum, rank) => sum + 1 / Math.log2(rank + 2), 0)

/** A skill of the corpus; `id` is `owner/repo/slug`. */
export interface CorpusSkill {
  id: string
  owner: string
  repo: string
  slug: string
  name: string
  description: string
  tags: readonly string[]
  /** Markdown. */
  readme: string
}

/** A task that people wrote, and the skills that serve it. */
export interface Task {
  task: string
  relevant: string[]
  kind: 'positive' | 'negative'
  negative_type?: 'near-miss' | 'out-of-domain'
  source: string
}

const folder = join(root, '../shared/data')
/** The real skills, outside the checkout; what needs them is skipped where they are not. */
export const skillsFile = join(folder, 'skills.jsonl.gz')
const tasksFile = join(folder, 'queries.dev.jsonl')

/** Why the corpus cannot be read here, or undefined when it can. */
export function corpusMissing(): string | undefined {
  if (existsSync(skillsFile) && existsSync(tasksFile)) return undefined
  return `the skills and tasks of ${folder} are not on this machine`
}

/** The real skills, in the order of the file. */
export function readSkills(): CorpusSkill[] {
  return parseLines<CorpusSkill>(gunzipSync(readFileSync(skillsFile)).toString())
}

/** The development tasks. */
export function readTasks(): Task[] {
  return parseLines<Task>(readFileSync(tasksFile, 'utf8'))
}

function parseLines<T>(lines: string): T[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
