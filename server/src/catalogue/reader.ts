import type { Steps } from '../runtime/steps.ts'
import type { ResolveOptions, SkillIndex, SkillText, SkillView } from '../search/index.ts'
import {
  type ReadableOwners,
  type RepositoryRecord,
  scopeOf,
} from '../store/registry/repositories.ts'
import type { SkillRecord } from '../store/registry/skill-record.ts'
import type { CatalogueQuery, Find } from './find.ts'

/** Whose private skills somebody may read. */
export type Reader = ReadableOwners

/** The skills in memory, by slot, and what finds a slot. */
interface Skills {
  readonly steps: Steps
  readonly index: SkillIndex
  readonly records: readonly (SkillRecord | undefined)[]
  readonly slots: ReadonlyMap<string, number>
  slotAt(owner: string, repo: string, slug: string): number | undefined
  originalsOf(slot: number): readonly number[]
  readonly find: Find
  /** Slots of private skills by the id of their owner. */
  readonly privateSlots: ReadonlyMap<string, ReadonlyMap<number, unknown>>
}

/** Returns the functions that read skills as a reader sees them, or else as everybody does. */
export function readAs(
  { steps, index, records, slots, slotAt, originalsOf, find, privateSlots }: Skills,
  reader: Reader = { owners: [] },
) {
  const { owners, repositoryId } = reader
  const mayRead = (repository: RepositoryRecord): boolean => {
    const scope = scopeOf(repository)
    if (scope === undefined) return true
    return owners.includes(scope) && (repositoryId ?? repository.id) === repository.id
  }
  /** Returns the skill of a slot, and undefined if the reader may not read it. */
  const atSlot = (slot = -1): SkillRecord | undefined => {
    const skill = records[slot]
    return skill && mayRead(skill.repository) ? skill : undefined
  }
  /** Returns the slots of the private skills that the reader may read. */
  const listPrivate = () =>
    owners.flatMap((owner) => [...(privateSlots.get(owner)?.keys() ?? [])].filter(atSlot))
  return {
    get size() {
      return index.size + listPrivate().length
    },
    reader,
    mayRead,
    atSlot,
    get: (id: string) => atSlot(slots.get(id)),
    /** Returns the skill at an address, ignoring case. */
    at: (owner: string, repo: string, slug: string) => atSlot(slotAt(owner, repo, slug)),
    /** Returns the main original of a near-copy, and undefined for other skills. */
    originalOf: (id: string) => atSlot(originalsOf(slots.get(id) ?? -1)[0]),
    /** Returns a page of the skills that match a query, and their total number. */
    find(query: CatalogueQuery, start: number, end: number) {
      const found = find(query, start, end, { scopes: owners, slots: listPrivate() })
      return { skills: found.slots.flatMap((slot) => records[slot] ?? []), total: found.total }
    },
    /** Returns the number of distinct words of a text that no skill has. */
    countNewWords: async (text: SkillText): Promise<number> =>
      index.countNewWords(await steps.run(index.read(text)), owners),
    /** Ranks skills for a task. `viewOf` also gets slots whose skill the reader may not read. */
    resolve(task: string, options: ResolveOptions, viewOf: (slot: number) => SkillView) {
      const isFiltered = options.isFiltered || repositoryId !== undefined
      return index.resolve(task, { ...options, isFiltered }, viewOf, owners)
    },
  }
}
