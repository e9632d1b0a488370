import Database from 'better-sqlite3'
import MiniSearch from 'minisearch'
import type { NamedSkill } from '../support/named-index.ts'

/** What the bench compares: built once, then asked for the ten best ids. */
export interface Engine {
  build(skills: readonly NamedSkill[]): void
  rank(task: string): string[]
  /** Its size, where the process's memory does not show it. */
  bytes?(): number
}

/** Both peers do better without these. */
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

/** SQLite's full-text index as the data's own baseline has it. */
export function createFullText(): Engine {
  const database = new Database(':memory:')
  database.exec(
    `create virtual table skill using fts5(id unindexed, name, description, tags, readme,
     tokenize = 'unicode61')`,
  )
  const select = database.prepare<[string], { id: string }>(
    'select id from skill where skill match ? order by bm25(skill, 0, 5, 5, 1, 1) limit 10',
  )
  return {
    build(skills) {
      const insert = database.prepare('insert into skill values (?, ?, ?, ?, ?)')
      database.transaction(() => {
        for (const { id, name, description, tags, readme } of skills) {
          insert.run(id, name, description, tags.join(' '), readme)
        }
      })()
    },
    rank(task) {
      const words = meaningful(task).map((word) => `"${word}"`)
      return words.length === 0 ? [] : select.all(words.join(' OR ')).map(({ id }) => id)
    },
    bytes() {
      const pages = database.pragma('page_count', { simple: true }) as number
      return pages * (database.pragma('page_size', { simple: true }) as number)
    },
  }
}

/** MiniSearch over names and descriptions: with readmes it takes 2 GB. */
export function createMiniSearch(): Engine {
  const index = new MiniSearch<NamedSkill>({ fields: ['name', 'description'], idField: 'id' })
  return {
    build: (skills) => index.addAll(skills),
    rank: (task) =>
      index
        .search(meaningful(task).join(' '))
        .slice(0, 10)
        .map(({ id }) => id as string),
  }
}
