import type { Loaded, Savable, Saved } from '../snapshot/saved.ts'
import { createCore } from './core.ts'
import type { ReadSkill } from './document/forward-index.ts'
import type { NewWordCount } from './indexing/new-words.ts'
import type { SkillReading } from './indexing/read-skill.ts'
import type { Resolution } from './query/answer.ts'
import type { ResolveOptions } from './query/rank.ts'
import type { SearchMatches } from './query/search.ts'
import type { SkillText } from './text/skill-text.ts'

export type { ReadSkill } from './document/forward-index.ts'
export type { NewWordCount } from './indexing/new-words.ts'
export type { SkillReading } from './indexing/read-skill.ts'
export type { Resolution } from './query/answer.ts'
export type { Explanation } from './query/explanation.ts'
export type { ResolveHit, ResolveOptions } from './query/rank.ts'
export type { SearchMatches } from './query/search.ts'
export type { SkillText } from './text/skill-text.ts'

/**
 * The skills of this process in memory, for resolve and search, each known by its slot: a small
 * integer of the caller's choice. Calls are synchronous; merges, and the rankings of `resolveAside`, go
 * on in other threads.
 */
export interface SkillIndex extends Savable {
  readonly size: number
  has(slot: number): boolean
  /** Adds or replaces the skill of a slot; the next call sees it. `stored` is kept with it. */
  put(slot: number, skill: SkillText | ReadSkill, stored: Uint8Array): void
  /** Reads a skill that may take long, for `put`: the caller lets others run between the steps. */
  read(skill: SkillText): SkillReading
  /** Counts the distinct words that a skill would bring along, bit by bit; the index stays as it is. */
  countNewWords(skill: SkillText): NewWordCount
  /** Takes a skill out; unknown slots are ignored. */
  remove(slot: number): void
  /** What was given to be kept with the skill; read only. */
  stored(slot: number): Uint8Array | undefined
  /**
   * Ranks skills by how well they serve a task. What words say is remembered while the skills stay as
   * they are; `prior` and `demotion` are asked each time. `order` must not change its mind meanwhile.
   */
  resolve(task: string, options: ResolveOptions): Resolution
  /** The same; where many ask, other threads rank as far as there are cores for them. */
  resolveAside(task: string, options: ResolveOptions): Promise<Resolution>
  /** Every skill whose name, slug or description has a word of `q`, with its relevance. */
  search(q: string): SearchMatches
  /**
   * From here to `endLoad` skills are gathered into segments as large as can be. Whatever is asked
   * meanwhile takes long: all that wait to be read, and for `resolve` and `search` every one that was.
   */
  beginLoad(): void
  endLoad(): void
  /** Bytes held: without and of what is stored for the caller; remembered rankings come on top. */
  memory(): { index: number; stored: number }
  /** Distinct words that skills ever held, and how many of them none holds now. */
  words(): { all: number; unused: number }
  /** Resolves when no merge is under way. */
  settled(): Promise<void>
  /** Ends the other threads. */
  close(): Promise<void>
}

/** An empty index. `onThreadFailure` hears why another thread failed; nothing is lost by it. */
export function createSkillIndex(onThreadFailure: (error: unknown) => void = () => {}): SkillIndex {
  let core = createCore(onThreadFailure)
  return {
    get size() {
      return core.size
    },
    has: (slot) => core.has(slot),
    put: (slot, skill, stored) => core.put(slot, skill, stored),
    read: (skill) => core.read(skill),
    countNewWords: (skill) => core.countNewWords(skill),
    remove: (slot) => core.remove(slot),
    stored: (slot) => core.stored(slot),
    resolve: (task, options) => core.resolve(task, options),
    resolveAside: (task, options) => core.resolveAside(task, options),
    search: (q) => core.search(q),
    beginLoad: () => core.beginLoad(),
    endLoad: () => core.endLoad(),
    memory: () => core.memory(),
    words: () => core.words(),
    settled: () => core.settled(),
    close: () => core.close(),
    save: (): Saved => core.save(),
    async restore(loaded: Loaded) {
      const former = core
      core = createCore(onThreadFailure, loaded)
      await former.close()
    },
  }
}
