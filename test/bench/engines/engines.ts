import { createSkillIndex } from '@skillpass/server/search/index'
import Database from 'better-sqlite3'
import type { CorpusSkill } from '../../support/corpus.ts'

/** What the bench compares: filled once, then asked for the ten best. */
export interface Engine {
  /** Takes skills in, numbered from 0 on in the order of the calls. */
  add(skill: CorpusSkill): void
  /** Ends the filling, where that is a step of its own. */
  finish?(): void | Promise<void>
  /** Numbers of the ten best, best first; ours leaves out those below a threshold of confidence. */
  rank(task: string, threshold: number): number[]
  /** What it holds, bytes, where the JavaScript heap does not show it or shows more. */
  bytes?(): number
}

/** Every engine, under the name that tables show. */
export const engines = {
  Skillpass: createOurs,
  'SQLite FTS5, all fields': createFullText,
} satisfies Record<string, () => Engine>

export type EngineName = keyof typeof engines

function createOurs(): Engine {
  const index = createSkillIndex()
  let slots = 0
  let asked = 0
  index.beginLoad()
  return {
    add: (skill) => index.put(slots++, skill),
    finish() {
      index.endLoad()
      return index.settled()
    },
    rank(task, threshold) {
      // a threshold of its own each time, or it would remember the tasks that were asked before
      const own = threshold + ++asked * 1e-12
      return index
        .answer(index.rank(task, { limit: 10, threshold: own }))
        .hits.map(({ slot }) => slot)
    },
    bytes: () => index.memory(),
  }
}

/** The peer does better without these. */
const STOP_WORDS = new Set(
  `a about after all also an and any are as at be because been before but by can could did do does
  for from get had has have he her him his how i if in into is it its just like make me more most my
  need new no not now of on one only or other our out over please she should so some than that the
  their them then there these they this to up us use using want was we were what when where which
  who why will with would you your`.split(/\s+/),
)

function meaningful(task: string): string[] {
  const words = task.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words)].filter((word) => !STOP_WORDS.has(word))
}

/**
 * SQLite's full-text index as the data's own baseline has it, in memory; without the texts
 * themselves, which ours does not hold either and which change no score.
 */
function createFullText(): Engine {
  const database = new Database(':memory:')
  database.exec(
    `create virtual table skill using fts5(name, description, tags, readme, content = '',
     tokenize = 'unicode61');
     begin`,
  )
  const insert = database.prepare(
    'insert into skill (rowid, name, description, tags, readme) values (?, ?, ?, ?, ?)',
  )
  const select = database.prepare<[string], { rowid: number }>(
    'select rowid from skill where skill match ? order by bm25(skill, 5, 5, 1, 1) limit 10',
  )
  let next = 0
  return {
    add({ name, description, tags, readme }) {
      insert.run(next++, name, description, tags.join(' '), readme)
    },
    finish: () => void database.exec('commit'),
    rank(task) {
      const words = meaningful(task).map((word) => `"${word}"`)
      return words.length === 0 ? [] : select.all(words.join(' OR ')).map(({ rowid }) => rowid)
    },
    bytes() {
      const pages = database.pragma('page_count', { simple: true }) as number
      return pages * (database.pragma('page_size', { simple: true }) as number)
    },
  }
}
