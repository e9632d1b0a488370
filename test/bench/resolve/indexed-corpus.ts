import {
  createSkillIndex,
  type RankOptions,
  type ResolveResult,
} from '@skillpass/server/search/index'
import type { CorpusSkill } from '../../support/corpus.ts'

/** An index of a corpus. The slot of a skill is its position. */
export interface IndexedCorpus {
  readonly size: number
  has(id: string): boolean
  idOf(slot: number): string
  resolve(task: string, options: RankOptions): ResolveResult
}

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
