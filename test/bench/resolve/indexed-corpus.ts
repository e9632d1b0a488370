import {
  createSkillIndex,
  type RankOptions,
  type ResolveResult,
} from '@skillpass/server/search/index'
import type { CorpusSkill } from '../../support/corpus.ts'

/** Skills in the index, each under the slot of its place, with the way back to their ids. */
export interface IndexedCorpus {
  readonly size: number
  has(id: string): boolean
  idOf(slot: number): string
  resolve(task: string, options: RankOptions): ResolveResult
}

/** Indexes the skills. */
export function indexCorpus(skills: readonly CorpusSkill[]): IndexedCorpus {
  const index = createSkillIndex()
  index.beginLoad()
  for (const [slot, skill] of skills.entries()) index.put(slot, skill)
  index.endLoad()
  const ids = new Set(skills.map(({ id }) => id))
  return {
    size: skills.length,
    has: (id) => ids.has(id),
    idOf: (slot) => skills[slot]?.id ?? '',
    resolve: (task, options) => index.answer(index.rank(task, options)),
  }
}
