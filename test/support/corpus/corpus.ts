import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

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

const folder = new URL('../../../../shared/data/', import.meta.url)
const skillsFile = new URL('skills.jsonl.gz', folder)
const tasksFile = new URL('queries.dev.jsonl', folder)

/** Why the corpus cannot be read here, or undefined when it can. */
export function corpusMissing(): string | undefined {
  if (existsSync(skillsFile) && existsSync(tasksFile)) return undefined
  return `the skills and tasks of ${fileURLToPath(folder)} are not on this machine`
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

/** Numbers from 0 to 1, the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A new array in random order. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const order = [...items]
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1))
    const swap = order[i] as T
    order[i] = order[j] as T
    order[j] = swap
  }
  return order
}
