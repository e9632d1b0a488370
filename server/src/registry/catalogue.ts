import { LRUCache } from 'lru-cache'
import { createSkillIndex, type SkillIndex } from './resolve/index.ts'
import type { RepositoryRecord } from './store/repositories.ts'
import type { SkillRecord } from './store/skills.ts'

/**
 * The skills in memory: a card per skill, their addresses and the ranking index. Search, resolve
 * and the look-up of addresses read from here and ask no database. It holds what has been committed
 * and nothing else: operations apply a change after its commit and before they answer, and
 * `follow.ts` brings what other processes wrote.
 */
export interface Catalogue {
  readonly index: SkillIndex
  readonly size: number
  /** Every card, in no order. */
  cards(): Iterable<SkillRecord>
  get(id: string): SkillRecord | undefined
  /** The skill at an address, compared without case. */
  at(owner: string, repo: string, slug: string): SkillRecord | undefined
  /** The skill of a slot, as the index names it. */
  atSlot(slot: number): SkillRecord | undefined
  /** The numbers of the same, which cost less to look up than the whole card. */
  numbersAt(slot: number): SkillNumbers | undefined
  /** Orders slots by the ids of their skills. */
  compareIds(a: number, b: number): number
  /** Revision up to which other processes' changes are known. */
  revision: number
  /** Grows with each change; what was derived from the cards is stale when it differs. */
  readonly generation: number
  /** Takes a new state in; one older than the known is ignored. `readme` is needed if it changed. */
  put(skill: SkillRecord, readme?: string): void
  /** Takes a repository's numbers as of a revision in, for all its skills; older ones are ignored. */
  putRepository(repository: RepositoryRecord, revision: number): void
  remove(id: string): void
}

/** What changes of a skill without its text. */
export type SkillNumbers = Pick<
  SkillRecord,
  | 'starCount'
  | 'fetchCount'
  | 'feedbackCount'
  | 'helpfulCount'
  | 'helpfulWeight'
  | 'unhelpfulWeight'
  | 'createdAt'
  | 'updatedAt'
  | 'repository'
>

/** Removed ids that are remembered, so that a late older state does not bring a skill back. */
const rememberedRemovals = 10_000

/** An empty catalogue. */
export function createCatalogue(): Catalogue {
  const index = createSkillIndex()
  const cards = new Map<string, SkillRecord>()
  const slots = new Map<string, number>()
  const inSlots: (SkillRecord | undefined)[] = []
  const addresses = new Map<string, string>()
  const repositories = new Map<string, { record: RepositoryRecord; revision: number }>()
  const removed = new LRUCache<string, true>({ max: rememberedRemovals })
  let generation = 0

  /**
   * One object per repository, shared by its cards, so that its numbers change in one place. Changes
   * of several of its skills may come in another order than they were committed in.
   */
  const share = (given: RepositoryRecord, revision: number): RepositoryRecord => {
    const known = repositories.get(given.id)
    if (!known) {
      const record = { ...given }
      repositories.set(given.id, { record, revision })
      return record
    }
    if (revision >= known.revision) {
      Object.assign(known.record, given)
      known.revision = revision
    }
    return known.record
  }

  /** Gives up the address of a card, unless another skill has taken it meanwhile. */
  const vacate = (card: SkillRecord) => {
    const key = keyOf(card)
    if (addresses.get(key) === card.id) addresses.delete(key)
  }

  return {
    index,
    revision: 0,
    cards: () => cards.values(),
    get: (id) => cards.get(id),
    atSlot: (slot) => inSlots[slot],
    numbersAt: (slot) => inSlots[slot],
    compareIds(a, b) {
      const [one, other] = [inSlots[a]?.id ?? '', inSlots[b]?.id ?? '']
      return one < other ? -1 : one > other ? 1 : 0
    },
    at(owner, repo, slug) {
      const id = addresses.get(addressKey(owner, repo, slug))
      return id === undefined ? undefined : cards.get(id)
    },
    put(skill, readme) {
      const known = cards.get(skill.id)
      if (removed.has(skill.id) || (known && known.revision > skill.revision)) return
      generation++
      if (known) vacate(known)
      const repository = share(skill.repository, skill.revision)
      // A card stays the same object for life, so that lists of cards need no second look-up.
      if (known) Object.assign(known, skill, { repository })
      else {
        const card = { ...skill, repository }
        cards.set(skill.id, card)
        slots.set(skill.id, inSlots.push(card) - 1)
      }
      addresses.set(keyOf(skill), skill.id)
      if (readme !== undefined) {
        const text = {
          name: skill.name,
          slug: skill.slug,
          description: skill.indexedDescription ?? skill.description,
          tags: skill.tags,
          readme,
        }
        index.put(slots.get(skill.id) ?? 0, text, new Uint8Array())
      }
    },
    putRepository(repository, revision) {
      generation++
      share(repository, revision)
    },
    remove(id) {
      removed.set(id, true)
      const known = cards.get(id)
      if (!known) return
      generation++
      cards.delete(id)
      vacate(known)
      const slot = slots.get(id) ?? 0
      slots.delete(id)
      inSlots[slot] = undefined
      index.remove(slot)
    },
    get size() {
      return cards.size
    },
    get generation() {
      return generation
    },
  }
}

const addressKey = (owner: string, repo: string, slug: string) =>
  `${owner}/${repo}/${slug}`.toLowerCase()

const keyOf = (skill: SkillRecord) =>
  addressKey(skill.repository.owner, skill.repository.name, skill.slug)

/** Whether what the index reads differs between two states of a skill. */
export const textDiffers = (a: SkillRecord, b: SkillRecord): boolean =>
  a.digest !== b.digest ||
  a.name !== b.name ||
  a.slug !== b.slug ||
  a.description !== b.description ||
  a.indexedDescription !== b.indexedDescription ||
  a.tags.join('\n') !== b.tags.join('\n')
