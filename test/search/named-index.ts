import {
  createSkillIndex,
  type RankOptions,
  type ResolveHit,
  type ResolveResult,
  type SkillText,
  type SkillView,
} from '@skillpass/server/search/index'

/** A skill with an id chosen by the test. */
export interface NamedSkill extends SkillText {
  id: string
}

type NamedResult = Omit<ResolveResult, 'hits'> & { hits: (ResolveHit & { id: string })[] }

/** A view without votes or originals. */
const viewOf = (id: string): SkillView => ({
  id,
  createdAt: 0,
  trust: 0,
  demotion: 1,
  isEligible: true,
  originals: [],
})

/** A skill index that identifies skills by id. Equal scores are ordered by id. */
export function createNamedIndex() {
  const index = createSkillIndex()
  const slots = new Map<string, number>()
  const names: string[] = []
  const nameOf = (slot: number) => names[slot] ?? ''
  const slotOf = (id: string) => {
    const slot = slots.get(id) ?? names.push(id) - 1
    slots.set(id, slot)
    return slot
  }

  return {
    memory: () => index.memory(),
    beginLoad: () => index.beginLoad(),
    endLoad: () => index.endLoad(),
    put: ({ id, ...text }: NamedSkill) => index.put(slotOf(id), text),
    remove: (id: string) => index.remove(slotOf(id)),
    resolve(task: string, options: RankOptions): NamedResult {
      const ranking = index.rank(task, options)
      const views = ranking.hits.map(({ slot }) => viewOf(nameOf(slot)))
      const { hits, ...rest } = index.answer(ranking, views)
      return { ...rest, hits: hits.map((hit) => ({ ...hit, id: nameOf(hit.slot) })) }
    },
    /** Returns the matches of a search, unordered. */
    search(q: string): { id: string; score: number }[] {
      const { slots, scores } = index.search(q)
      return Array.from(slots, (slot, i) => ({
        id: nameOf(slot),
        score: scores[i] ?? 0,
      }))
    },
  }
}

export type NamedIndex = ReturnType<typeof createNamedIndex>
