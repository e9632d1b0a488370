import { LRUCache } from 'lru-cache'
import { createTurns, type Turns } from '../../runtime/turns.ts'
import {
  createSkillIndex,
  type ReadSkill,
  type SkillIndex,
  type SkillText,
} from '../../search/index.ts'
import type { Savable } from '../../snapshot/saved.ts'
import { writeNumbers } from '../columns/columns.ts'
import { type Sample, samplePassages } from '../copies/passages.ts'
import { readTimes } from '../copies/times.ts'
import type { Verdict } from '../lint/judge.ts'
import type { RepositoryRecord } from '../store/repositories.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import type { Votes } from '../votes/trust.ts'
import type { Address } from './addresses.ts'
import { writeCardText } from './card-text.ts'
import { repositoryGroup, tagGroup } from './filter.ts'
import { createFinder, type Wanted } from './finder.ts'
import { rememberPages } from './page-cache.ts'
import { aliveSlots, freeSlots, restoreHoldings, saveHoldings } from './saving.ts'
import { createSlots } from './slots.ts'
import { createHoldings } from './state.ts'
import { createCards } from './stored-documents.ts'

export type { SkillFilter } from './filter.ts'
export type { Wanted } from './finder.ts'
export type { SkillOrder } from './pages.ts'

/**
 * The skills in memory: a card per skill, their addresses, orders and the ranking index. Search,
 * resolve and the look-up of addresses read from here and ask no database. It holds what has been
 * committed and nothing else: operations apply a change after its commit and before they answer, and
 * `change-feed.ts` brings what other processes wrote.
 *
 * There may be a million, so a skill is no object: it is a slot, a small number under which columns
 * have its numbers and its text. Cards are put together when they are asked for.
 */
export interface Catalogue extends Savable {
  readonly index: SkillIndex
  readonly size: number
  /** Readers so far, of all skills together. */
  readonly fetchCount: number
  get(id: string): SkillRecord | undefined
  /** The skill at an address, compared without case. */
  at(owner: string, repo: string, slug: string): SkillRecord | undefined
  /** The skill of a slot, as the index names it. */
  atSlot(slot: number): SkillRecord | undefined
  /** What agents' votes on the skill of a slot weigh; nothing where it is free. */
  votesAt(slot: number): Votes
  /** Whether the verdict of a slot's skill is no graver than this one. */
  isAtMost(slot: number, verdict: Verdict): boolean
  /** The slot of a skill's id. */
  slotOf(id: string): number | undefined
  /** The skills that this one is a near-copy of, the most copied first; none for one that is no copy. */
  originalsOf(slot: number): readonly number[]
  /** Whether the skill of a slot was there before that of another. */
  isOlder(slot: number, than: number): boolean
  /** The first of them, by the id of the copy. */
  originalOf(id: string): SkillRecord | undefined
  /** Orders slots by the ids of their skills. */
  compareIds(a: number, b: number): number
  /** A page of the skills that pass the filter and match `q`, and how many do. */
  find(wanted: Wanted, start: number, end: number): { cards: SkillRecord[]; total: number }
  /** The same, in a later turn of the event loop where this one has worked its share (turns.ts). */
  findInTurn(...page: Parameters<Catalogue['find']>): Promise<ReturnType<Catalogue['find']>>
  /** Sorts the skills, if they are not. The first page asked for does it else, and waits for it. */
  sort(): void
  /** Revision up to which other processes' changes are known. */
  revision: number
  /**
   * Takes a new state in; one older than the known is ignored. `readme` is needed if the text changed:
   * without it a state of another text is ignored too, for it comes once more by way of `change-feed.ts`.
   */
  put(skill: SkillRecord, readme?: string | ReadReadme): void
  /** The same in later turns of the event loop where this one has worked its share; long readmes in steps. */
  admit(skill: SkillRecord, readme: string): Promise<void>
  /** How many distinct words a text would bring into the vocabulary; counted in turns as well. */
  countNewWords(text: SkillText): Promise<number>
  /** Takes a repository's numbers as of a revision in, for all its skills; older ones are ignored. */
  putRepository(repository: RepositoryRecord, revision: number): void
  /**
   * Takes a skill out that left the registry at a revision: deleted or hidden. A later state brings it
   * back; without a revision none does.
   */
  remove(id: string, revision?: number): void
}

/** A readme that was read already. */
export interface ReadReadme {
  readonly read: ReadSkill
  readonly sample: Sample
}

/** Characters of a readme that are read within some ten milliseconds, in any script. */
const readAtOnce = 8192

/** Removed ids that are remembered, so that a late older state does not bring a skill back. */
const rememberedRemovals = 10_000

/**
 * An empty catalogue over an empty index. `turns` are those that others share with it; `passageKey` is
 * the database's (copies/passages.ts).
 */
export function createCatalogue(
  index: SkillIndex = createSkillIndex(),
  turns: Turns = createTurns(),
  passageKey = 0,
): Catalogue {
  const holdings = createHoldings()
  const { addresses, columns, copies, ids, memberships, orders, owners } = holdings
  const { repositories, texts, verdicts } = holdings
  const cards = createCards(holdings)
  /** Of texts and of the orders of skills. */
  let changes = 0
  const find = rememberPages(
    createFinder(holdings, index),
    () => changes + repositories.starChanges,
  )
  const removed = new LRUCache<string, number>({ max: rememberedRemovals })
  let slots = createSlots(0, [])
  let size = 0
  let fetchCount = 0

  const isInUse = (slot: number) => columns.version.get(slot) !== 0

  const catalogue: Catalogue = {
    index,
    revision: 0,
    get size() {
      return size
    },
    get fetchCount() {
      return fetchCount
    },
    get(id) {
      const slot = ids.find(id)
      return slot === undefined ? undefined : cards.at(slot)
    },
    at(owner, repo, slug) {
      const slot = addresses.find({ owner, repo, slug }, addressAt)
      return slot === undefined ? undefined : cards.at(slot)
    },
    atSlot: (slot) => (isInUse(slot) ? cards.at(slot) : undefined),
    votesAt: (slot) => ({
      helpfulWeight: isInUse(slot) ? columns.helpfulWeight.get(slot) : 0,
      unhelpfulWeight: isInUse(slot) ? columns.unhelpfulWeight.get(slot) : 0,
    }),
    isAtMost: verdicts.isAtMost,
    slotOf: (id) => ids.find(id),
    originalsOf: copies.originalsOf,
    isOlder: (slot, than) => columns.createdAt.get(slot) < columns.createdAt.get(than),
    originalOf(id) {
      const slot = ids.find(id)
      const [original] = slot === undefined ? [] : copies.originalsOf(slot)
      return original === undefined ? undefined : cards.at(original)
    },
    compareIds: ids.compare,
    find(wanted, start, end) {
      catalogue.sort()
      const found = find(wanted, start, end, slots.end)
      return { cards: found.slots.map(cards.at), total: found.total }
    },
    findInTurn: (...page) => turns.run(() => catalogue.find(...page)),
    sort() {
      if (orders.isSorted) return
      copies.settle(() => {})
      orders.sort(aliveSlots(columns, slots.end), copies.isCopy)
    },
    put(skill, readme) {
      if ((removed.get(skill.id) ?? -1) >= skill.revision) return
      const known = ids.find(skill.id)
      if (known !== undefined && columns.revision.get(known) > skill.revision) return
      const text = writeCardText(skill)
      const stored = known === undefined ? undefined : texts.get(known)
      const isOtherText = !stored || Buffer.compare(stored, text) !== 0
      if (isOtherText && readme === undefined) return
      const slot = known ?? slots.take()
      if (known !== undefined && isOtherText) withdrawText(slot)
      writeSkill(slot, skill, known === undefined)
      if (isOtherText && readme !== undefined) {
        changes++
        const isRead = typeof readme !== 'string'
        index.put(slot, isRead ? readme.read : indexedText(skill, readme))
        texts.set(slot, text)
        announceText(slot, skill)
        const sample = isRead ? readme.sample : samplePassages(readme, passageKey)
        putPassages(slot, skill, sample)
      }
      copies.tell(slot, skill.copyWord)
      if (known === undefined || isOtherText) copies.renewNaming(skill.id)
      settleCopies()
    },
    async admit(skill, readme) {
      if (readme.length <= readAtOnce) return turns.run(() => catalogue.put(skill, readme))
      const sample = await turns.run(() => samplePassages(readme, passageKey))
      const reading = await turns.run(() => index.read(indexedText(skill, readme)))
      for (;;) {
        const read = await turns.run(reading.step)
        if (read) return turns.run(() => catalogue.put(skill, { read, sample }))
      }
    },
    async countNewWords(text) {
      const counting = await turns.run(() => index.countNewWords(text))
      for (;;) {
        const count = await turns.run(counting.step)
        if (count !== undefined) return count
      }
    },
    putRepository(repository, revision) {
      repositories.put(repository, revision)
    },
    remove(id, revision = Number.POSITIVE_INFINITY) {
      const slot = ids.find(id)
      // A look at the changes may tell of a removal after the skill has come back.
      if (slot !== undefined && columns.revision.get(slot) > revision) return
      removed.set(id, Math.max(revision, removed.get(id) ?? 0))
      if (slot === undefined) return
      changes++
      withdrawText(slot)
      orders.remove(slot, copies.isCopy(slot))
      const repository = columns.repository.get(slot)
      memberships.remove(repositoryGroup(repository), slot)
      repositories.addSkills(repository, -1)
      fetchCount -= columns.fetchCount.get(slot)
      size--
      ids.remove(slot)
      columns.version.set(slot, 0)
      verdicts.set(slot, { verdict: null, warnings: [] })
      index.remove(slot)
      texts.remove(slot)
      copies.remove(slot)
      copies.renewNaming(id)
      settleCopies()
      slots.free(slot)
    },
    save: () => saveHoldings(holdings, slots.end),
    restore(loaded) {
      const end = restoreHoldings(holdings, loaded)
      const alive = aliveSlots(columns, end)
      if (alive.length !== index.size || !alive.every(index.has)) {
        throw new Error('the index holds other skills than the catalogue')
      }
      changes++
      size = alive.length
      for (const slot of alive) fetchCount += columns.fetchCount.get(slot)
      slots = createSlots(end, freeSlots(columns, end))
      catalogue.sort()
    },
  }
  return catalogue

  function addressAt(slot: number): Address {
    const { repository, slug } = cards.at(slot)
    return { owner: repository.owner, repo: repository.name, slug }
  }

  /** Takes in when a skill first had what its readme says. */
  function putPassages(slot: number, { createdAt, passageTimes }: SkillRecord, sample: Sample) {
    const times = readTimes(passageTimes)
    const { passages } = sample
    const differ = passages.some((passage) => times.has(passage))
    const ages = Array.from(passages, (passage) => times.get(passage) ?? createdAt)
    copies.put(slot, sample, differ ? ages : undefined)
  }

  /** Puts skills that have become near-copies, or are none any more, where they stand now. */
  function settleCopies() {
    if (!orders.isSorted) return
    copies.settle((slot, isCopy) => {
      changes++
      if (!isInUse(slot)) return
      orders.remove(slot, !isCopy)
      orders.add(slot, isCopy)
    })
  }

  /** Takes a card out of where its text leads to it. */
  function withdrawText(slot: number) {
    for (const tag of cards.at(slot).tags) memberships.remove(tagGroup(tag), slot)
    addresses.remove(slot)
    cards.forget(slot)
  }

  function announceText(slot: number, { repository, slug, tags }: SkillRecord) {
    for (const tag of tags) memberships.add(tagGroup(tag), slot)
    const address = { owner: repository.owner, repo: repository.name, slug }
    addresses.set(slot, address, addressAt)
  }

  /** Writes what columns have of a skill, and moves it in the orders if its place is another. */
  function writeSkill(slot: number, skill: SkillRecord, isNew: boolean) {
    const { starCount, updatedAt } = columns
    const moves = starCount.get(slot) !== skill.starCount || updatedAt.get(slot) !== skill.updatedAt
    const isJudgedAnew = verdicts.set(slot, skill)
    if (moves || isNew || isJudgedAnew) changes++
    if (moves && !isNew) orders.remove(slot, copies.isCopy(slot))
    fetchCount += skill.fetchCount - (isNew ? 0 : columns.fetchCount.get(slot))
    writeNumbers(columns, slot, skill)
    columns.owner.set(slot, owners.numberOf(skill.owner))
    const repository = repositories.put(skill.repository, skill.revision)
    if (isNew) {
      size++
      ids.set(slot, skill.id)
      columns.repository.set(slot, repository)
      repositories.addSkills(repository, 1)
      memberships.add(repositoryGroup(repository), slot)
    }
    if (moves || isNew) orders.add(slot, copies.isCopy(slot))
    cards.renew(slot)
  }
}

/** What the index reads of a skill. */
const indexedText = (skill: SkillRecord, readme: string) => ({
  name: skill.name,
  slug: skill.slug,
  description: skill.indexedDescription ?? skill.description,
  tags: skill.tags,
  readme,
})

/** Whether what the index reads differs between two states of a skill. */
export const textDiffers = (a: SkillRecord, b: SkillRecord): boolean =>
  Buffer.compare(writeCardText(a), writeCardText(b)) !== 0
