import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { noteLack } from './lacking.ts'
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

/** Folder of the corpus: `CORPUS`, or the small one in the repository. */
const folder = process.env.CORPUS || join(root, 'test/corpus')

const [packed, plain] = [join(folder, 'skills.jsonl.gz'), join(folder, 'skills.jsonl')]

/** The skills, one as JSON on each line. */
export const skillsFile = existsSync(packed) ? packed : plain

/** Why a test of thousands of real skills cannot run; undefined if it can. */
export const realSkillsMissing = process.env.CORPUS
  ? undefined
  : 'CORPUS names no folder of real skills'
if (realSkillsMissing) noteLack('real skills', 'set CORPUS=DIR, see server/docs/search.md')

/** Reads the skills, in file order. */
export function readSkills(): CorpusSkill[] {
  const bytes = readFileSync(skillsFile)
  return parseLines<CorpusSkill>((skillsFile === packed ? gunzipSync(bytes) : bytes).toString())
}

/** Reads the tasks. */
export const readTasks = (): Task[] =>
  parseLines<Task>(readFileSync(join(folder, 'queries.dev.jsonl'), 'utf8'))

function parseLines<T>(lines: string): T[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T)
}
