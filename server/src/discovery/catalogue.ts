import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { runStep, runSteps } from '../runtime/run-step.ts'
import {
  createSkillIndex,
  type ReadSkill,
  type SkillIndex,
  type SkillText,
} from '../search/index.ts'
import type { RepositoryRecord } from '../skills/store/repositories.ts'
import type { SkillRecord } from '../skills/store/skill-record.ts'
import { type Copies, createCopies } from '../trust/copies/copies.ts'
import { readTimes } from '../trust/copies/passage-times.ts'
import { readSample, type Sample, samplePassages } from '../trust/copies/passages.ts'
import { createFinder, type Wanted } from './find.ts'
import { createGroups } from './groups.ts'
import { createOrders } from './orders.ts'

/** Characters of a readme that are read within some ten milliseconds, in any script. */
const readAtOnce = 8192

/** Removed ids that are remembered, so that a late older state does not bring a skill back. */
const rememberedRemovals = 10_000

/** A readme that was read already. */
interface ReadReadme {
  readonly read: ReadSkill | SkillText
  readonly sample: Sample
}

/** A skill of a snapshot: its text is in the index already. */
export interface SavedSkill {
  readonly id: string
  readonly slot: number
  /** `textKey` of the indexed text. */
  readonly text: string
  readonly sample: Sample
}

export type Catalogue = ReturnType<typeof createCatalogue>

/**
 * The skills in memory: plain records, their addresses, orders and the ranking index. Search, resolve
 * and the look-up of addresses read from here and ask no database. It holds what has been committed and
 * nothing else: operations apply a change after its commit and before they answer, and
 * `change-feed.ts` brings what other processes wrote.
 *
 * A record is never changed, but replaced; the objects of its repository and its owner are shared by
 * all their skills and follow the latest state. The index knows a skill by its slot, a small number.
 * `passageKey` is the database's (copies/passages.ts).
 */
export function createCatalogue(index: SkillIndex = createSkillIndex(), passageKey = 0) {
  const records: (SkillRecord | undefined)[] = []
  const freeSlots: number[] = []
  const slots = new Map<string, number>()
  const addresses = new Map<string, number>()
  const repositories = new Map<string, Repository>()
  const owners = new Map<string, SkillRecord['owner']>()
  const removed = new LRUCache<string, number>({ max: rememberedRemovals })
  const groups = createGroups()
  const copies: Copies = createCopies((id) => slots.get(id))
  const orders = createOrders(records, copies.isCopy)
  const find = createFinder({ records, groups, orders, copies, index })
  /** Skills of a snapshot that no row has been found for so far. */
  let saved = new Map<string, SavedSkill>()
  let isLoading = false
  let fetchCount = 0
  let textChanges = 0
  let changes = 0

  const recordOf = (slot: number | undefined) => (slot === undefined ? undefined : records[slot])

  const catalogue = {
    index,
    /** Revision up to which other processes' changes are known. */
    revision: 0,
    passageKey,
    get size() {
      return slots.size
    },
    /** Readers so far, of all skills together. */
    get fetchCount() {
      return fetchCount
    },
    /** Changes so far of anything that readers see, numbers of fetches aside. */
    get changes() {
      return changes
    },
    /** Changes so far of what the index holds. */
    get textChanges() {
      return textChanges
    },
    get: (id: string) => recordOf(slots.get(id)),
    /** The skill at an address, compared without case. */
    at: (owner: string, repo: string, slug: string) =>
      recordOf(addresses.get(addressKey(owner, repo, slug))),
    /** The skill of a slot, as the index names it. */
    atSlot: recordOf,
    slotOf: (id: string) => slots.get(id),
    /** The skills that this one is a near-copy of, the most copied first; none for one that is no copy. */
    originalsOf: copies.originalsOf,
    /** The first of the skills that the one with this id is a near-copy of. */
    originalOf(id: string) {
      const slot = slots.get(id)
      return slot === undefined ? undefined : recordOf(copies.originalsOf(slot)[0])
    },
    /** The skills that had these passages first, one for each passage that some skill has. */
    firstWith: (passages: ArrayLike<number>) =>
      Array.from(passages).flatMap((passage) => recordOf(copies.firstWith(passage)) ?? []),
    /** A page of the skills that pass the filter and match `q`, and how many do. */
    find(wanted: Wanted, start: number, end: number) {
      const { slots, total } = find(wanted, start, end)
      return { skills: slots.flatMap((slot) => records[slot] ?? []), total }
    },
    put,
    /** What near-copies and judged texts of a readme are known by; `admit` takes the sample. */
    sample: (readme: string) => runStep(() => readSample(readme, passageKey)),
    /** `put` that reads a long readme in steps, between which others have their turn. */
    async admit(skill: SkillRecord, readme: string, known?: Sample): Promise<void> {
      const text = indexedText(skill, readme)
      if (readme.length <= readAtOnce) {
        return runStep(() => put(skill, known ? { read: text, sample: known } : readme))
      }
      const sample = known ?? (await catalogue.sample(readme)).sample
      const read = await runSteps(index.read(text))
      await runSteps(index.learn(read))
      return runStep(() => put(skill, { read, sample }))
    },
    /** How many distinct words a text would bring into the vocabulary. */
    countNewWords: async (text: SkillText): Promise<number> =>
      index.countNewWords(await runSteps(index.read(text))),
    /** Takes a repository's numbers as of a revision in, for all its skills; older ones are ignored. */
    putRepository(record: RepositoryRecord, revision: number) {
      if (repositories.has(record.id)) shareRepository(record, revision)
      changes++
    },
    remove,
    /** From here to `endLoad` all skills are put or adopted, in any order. */
    beginLoad(skills: readonly SavedSkill[] = []) {
      isLoading = true
      saved = new Map(skills.map((skill) => [skill.id, skill]))
      const taken = new Set(skills.map(({ slot }) => slot))
      // a skill that changed while the snapshot was written is in the index alone
      const end = skills.reduce((most, { slot }) => Math.max(most, slot + 1), 0)
      for (let slot = 0; slot < end || index.size > taken.size; slot++) {
        records[slot] = undefined
        if (taken.has(slot)) continue
        index.remove(slot)
        freeSlots.push(slot)
      }
      index.beginLoad()
    },
    /** Puts a skill whose text is in the index already; gives whether it is. */
    adopt(skill: SkillRecord): boolean {
      const known = saved.get(skill.id)
      if (!known || known.text !== textKey(skill)) return false
      saved.delete(skill.id)
      writeText(known.slot, skill, known.sample)
      return true
    },
    endLoad() {
      for (const { slot } of saved.values()) {
        index.remove(slot)
        freeSlots.push(slot)
      }
      saved.clear()
      index.endLoad()
      isLoading = false
      settle()
      orders.sort()
    },
    /** The skills whose texts the index holds now, for `beginLoad`; those that change meanwhile are left out. */
    skillsToSave(): Iterable<SavedSkill> {
      return stillSame(records.slice())
    },
  }
  return catalogue

  /**
   * Takes a new state in; one older than the known is ignored. `readme` is needed if the text changed:
   * without it a state of another text is ignored too, for it comes once more by way of `change-feed.ts`.
   */
  function put(skill: SkillRecord, readme?: string | ReadReadme): void {
    if ((removed.get(skill.id) ?? -1) >= skill.revision) return
    const slot = slots.get(skill.id)
    const former = recordOf(slot)
    if (former && former.revision > skill.revision) return
    if (slot === undefined || !former || !hasSameText(former, skill)) {
      if (readme !== undefined) putText(skill, readme)
      return
    }
    write(slot, skill)
    settle()
  }

  function putText(skill: SkillRecord, readme: string | ReadReadme): void {
    const { read, sample } =
      typeof readme === 'string'
        ? { read: indexedText(skill, readme), sample: samplePassages(readme, passageKey) }
        : readme
    const { id } = skill
    const slot = slots.get(id) ?? saved.get(id)?.slot ?? freeSlots.pop() ?? records.length
    saved.delete(id)
    index.put(slot, read)
    writeText(slot, skill, sample)
  }

  /** Takes a skill out that left the registry at a revision; a later state brings it back, without one none does. */
  function remove(id: string, revision = Number.POSITIVE_INFINITY): void {
    const slot = slots.get(id)
    const former = recordOf(slot)
    // A look at the changes may tell of a removal after the skill has come back.
    if (former && former.revision > revision) return
    removed.set(id, Math.max(revision, removed.get(id) ?? 0))
    if (slot === undefined || !former) return
    changes++
    textChanges++
    fetchCount -= former.fetchCount
    withdraw(slot, former)
    slots.delete(id)
    index.remove(slot)
    copies.remove(slot)
    records[slot] = undefined
    orders.touch(slot)
    settle()
    freeSlots.push(slot)
  }

  /** Makes a state of a skill the one that readers see. */
  function write(slot: number, skill: SkillRecord): SkillRecord {
    const former = records[slot]
    if (!former || withoutFetches(former) !== withoutFetches(skill)) changes++
    fetchCount += skill.fetchCount - (former?.fetchCount ?? 0)
    const { record: repository } = shareRepository(skill.repository, skill.revision)
    const record = { ...skill, repository, owner: shareOwner(skill) }
    records[slot] = record
    orders.touch(slot)
    copies.tell(slot, skill.copyClaim)
    return record
  }

  /** `write` of a text that the index has taken in. */
  function writeText(slot: number, skill: SkillRecord, sample: Sample): void {
    const former = records[slot]
    if (former) withdraw(slot, former)
    textChanges++
    const record = write(slot, skill)
    slots.set(skill.id, slot)
    addresses.set(addressOf(record), slot)
    groups.add(slot, record)
    repositories.get(record.repository.id)?.slots.add(slot)
    const { id, createdAt, repository, passageTimes } = skill
    const publisher = repository.owner.toLowerCase()
    copies.put(slot, { id, publisher, createdAt, sample, times: readTimes(passageTimes) })
    settle()
  }

  /** Takes a skill out of where its text leads to it. */
  function withdraw(slot: number, former: SkillRecord): void {
    const address = addressOf(former)
    if (addresses.get(address) === slot) addresses.delete(address)
    groups.remove(slot, former)
    repositories.get(former.repository.id)?.slots.delete(slot)
  }

  function* stillSame(before: readonly (SkillRecord | undefined)[]): Generator<SavedSkill> {
    for (const [slot, skill] of before.entries()) {
      if (!skill || !hasSameText(skill, records[slot])) continue
      yield { id: skill.id, slot, text: textKey(skill), sample: copies.sampleOf(slot) }
    }
  }

  /** Puts skills that have become near-copies, or are none any more, where they stand now. */
  function settle(): void {
    if (!isLoading) copies.settle(orders.touch)
  }

  function shareRepository(record: RepositoryRecord, revision: number): Repository {
    const known = repositories.get(record.id)
    if (!known) {
      const added = { record: { ...record }, revision, slots: new Set<number>() }
      repositories.set(record.id, added)
      return added
    }
    if (revision < known.revision) return known
    known.revision = revision
    const { starCount, downloadCount } = known.record
    Object.assign(known.record, record)
    if (starCount === record.starCount && downloadCount === record.downloadCount) return known
    for (const slot of known.slots) orders.touch(slot)
    return known
  }

  function shareOwner({ owner }: SkillRecord): SkillRecord['owner'] {
    const known = owners.get(owner.id)
    if (known) return Object.assign(known, owner)
    const added = { ...owner }
    owners.set(owner.id, added)
    return added
  }
}

/** A repository as of a revision, and the slots of its skills. */
interface Repository {
  readonly record: RepositoryRecord
  revision: number
  readonly slots: Set<number>
}

const addressKey = (owner: string, repo: string, slug: string) =>
  `${owner}/${repo}/${slug}`.toLowerCase()

const addressOf = ({ repository, slug }: SkillRecord) =>
  addressKey(repository.owner, repository.name, slug)

/** Whether two states of a skill have the same text, the readme's included, at the same repository. */
export const hasSameText = (a: SkillRecord, b: SkillRecord | undefined): boolean =>
  b !== undefined && a.repository.id === b.repository.id && textOf(a) === textOf(b)

/** All that readers see of a skill but how often it was fetched. */
const withoutFetches = ({ repository, ...skill }: SkillRecord): string =>
  JSON.stringify({
    ...skill,
    revision: 0,
    fetchCount: 0,
    networkFetchCount: 0,
    passageTimes: null,
    repository: { ...repository, downloadCount: 0 },
  })

/** A digest of what the index reads of a skill. */
const textKey = (skill: SkillRecord): string =>
  createHash('sha256').update(textOf(skill)).digest('base64')

const textOf = ({ slug, name, description, indexedDescription, digest, tags }: SkillRecord) =>
  JSON.stringify([slug, name, description, indexedDescription, digest, tags])

/** What the index reads of a skill. */
const indexedText = (skill: SkillRecord, readme: string) => ({
  name: skill.name,
  slug: skill.slug,
  description: skill.indexedDescription ?? skill.description,
  tags: skill.tags,
  readme,
})
