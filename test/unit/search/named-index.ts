import {
  createSkillIndex,
  type ResolveHit,
  type ResolveOptions,
  type ResolveResult,
  type SkillText,
} from '@skillpass/server/search/index'

/** A skill under a name of the test's choice. */
export interface NamedSkill extends SkillText {
  id: string
}

type NamedHit = ResolveHit & { id: string }
type Options = Omit<ResolveOptions, 'order' | 'onEvidence'> & {
  onEvidence?: (
    id: string,
    evidence: Parameters<NonNullable<ResolveOptions['onEvidence']>>[1],
  ) => void
}

/** The skill index, with names in place of slots; equal scores stand in the order of the names. */
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
  const order = (a: number, b: number) => (nameOf(a) < nameOf(b) ? -1 : 1)

  return {
    memory: () => index.memory(),
    beginLoad: () => index.beginLoad(),
    endLoad: () => index.endLoad(),
    put: ({ id, ...text }: NamedSkill) => index.put(slotOf(id), text),
    remove: (id: string) => index.remove(slotOf(id)),
    resolve(
      task: string,
      { onEvidence, ...options }: Options,
    ): Omit<ResolveResult, 'hits'> & { hits: NamedHit[] } {
      const { hits, ...rest } = index.resolve(task, {
        ...options,
        order,
        ...(onEvidence && {
          onEvidence: (slot, evidence) => onEvidence(nameOf(slot), evidence),
        }),
      })
      return { ...rest, hits: hits.map((hit) => ({ ...hit, id: nameOf(hit.slot) })) }
    },
    /** What a search finds, in no order. */
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
