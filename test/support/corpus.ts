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

/** A task written by a person, with the skills that solve it. */
export interface Task {
  task: string
  relevant: string[]
  kind: 'positive' | 'negative'
  negative_type?: 'near-miss' | 'out-of-domain'
  source: string
}

const folder = join(root, '../shared/data')
/** Folder of the real skills, outside the checkout. Tests that need them are skipped without it. */
export const skillsFile = join(folder, 'skills.jsonl.gz')
const tasksFile = join(folder, 'queries.dev.jsonl')

/** Why the corpus is not available; undefined if it is. */
export function corpusMissing(): string | undefined {
  if (existsSync(skillsFile) && existsSync(tasksFile)) return undefined
  return `the skills and tasks of ${folder} are not on this machine`
}

/** Reads the real skills, in file order. */
export function readSkills(): CorpusSkill[] {
  return parseLines<CorpusSkill>(gunzipSync(readFileSync(skillsFile)).toString())
}

/** Reads the development tasks. */
export function readTasks(): Task[] {
  return parseLines<Task>(readFileSync(tasksFile, 'utf8'))
}

function parseLines<T>(lines: string): T[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
