import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { root } from './processes.ts'

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
