import { LRUCache } from 'lru-cache'
import { runStep } from '../../runtime/run-step.ts'
import { createSkillIndex, type SkillIndex } from '../../search/index.ts'
import { writeNumbers } from '../columns/columns.ts'
import { readTimes } from '../copies/passage-times.ts'
import { samplePassages } from '../copies/passages.ts'
import type { SkillRecord } from '../store/skill-record.ts'
import { undecided } from '../store/states.ts'
import type { Address } from './addresses.ts'
import type { Catalogue } from './catalogue.ts'
import { repositoryGroup, tagGroup } from './filter.ts'
import { createFinder } from './finder.ts'
import { rememberPages } from './page-cache.ts'
import { restoreState, saveState } from './saving.ts'
import { aliveSlots, createSlots, freeSlots } from './slots.ts'
import { createState } from './state.ts'
import { createStoredDocuments, writeText } from './stored-documents.ts'

/** Characters of a readme that are read within some ten milliseconds, in any script. */
const readAtOnce = 8192

/** Removed ids that are remembered, so that a late older state does not bring a skill back. */
const rememberedRemovals = 10_000

/**
 * An empty catalogue over an empty index. `passageKey` is the database's (copies/passages.ts).
 */
export function createCatalogue(index: SkillIndex = createSkillIndex(), passageKey = 0): Catalogue {
  const state = createState()
  const { addresses, columns, copies, ids, postings, orders, owners } = state
  const { repositories, texts, verdicts } = state
  const documents = createStoredDocuments(state)
  /** Bytes of texts and of the orders of skills. */
  let changes = 0
  const find = rememberPages(createFinder(state, index), () => changes + repositories.starChanges)
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
      return slot === undefined ? undefined : documents.at(slot)
    },
    at(owner, repo, slug) {
      const slot = addresses.find({ owner, repo, slug }, addressAt)
      return slot === undefined ? undefined : documents.at(slot)
    },
    atSlot: (slot) => (isInUse(slot) ? documents.at(slot) : undefined),
    isAtMost: verdicts.isAtMost,
    slotOf: (id) => ids.find(id),
    originalsOf: copies.originalsOf,
    originalOf(id) {
      const slot = ids.find(id)
      const [original] = slot === undefined ? [] : copies.originalsOf(slot)
      return original === undefined ? undefined : documents.at(original)
    },
    firstWith: (passages) =>
      Array.from(passages).flatMap((passage) => {
        const slot = copies.firstWith(passage)
        return slot === undefined ? [] : [documents.at(slot)]
      }),
    find(wanted, start, end) {
      catalogue.sort()
      const found = find(wanted, start, end, slots.end)
      return { skills: found.slots.map(documents.at), total: found.total }
    },
    sort() {
      if (orders.isSorted) return
      copies.settle(() => {})
      orders.sort(aliveSlots(columns, slots.end), copies.isCopy)
    },
    put(skill, readme) {
      if ((removed.get(skill.id) ?? -1) >= skill.revision) return
      const known = ids.find(skill.id)
      if (known !== undefined && columns.revision.get(known) > skill.revision) return
      const text = writeText(skill)
      const stored = known === undefined ? undefined : texts.get(known)
      const isOtherText =
        !stored || Buffer.compare(stored, text) !== 0 || isElsewhere(known, skill.repository)
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
        const { id, createdAt, repository, passageTimes } = skill
        const publisher = repository.owner.toLowerCase()
        copies.put(slot, { id, publisher, createdAt, sample, times: readTimes(passageTimes) })
      }
      copies.tell(slot, skill.copyWord)
      settleCopies()
    },
    sample: (readme) => runStep(() => samplePassages(readme, passageKey)),
    async admit(skill, readme, known) {
      if (readme.length <= readAtOnce) {
        const read = indexedText(skill, readme)
        return runStep(() => catalogue.put(skill, known ? { read, sample: known } : readme))
      }
      const sample = known ?? (await catalogue.sample(readme))
      const reading = await runStep(() => index.read(indexedText(skill, readme)))
      for (;;) {
        const read = await runStep(reading.step)
        if (read) return runStep(() => catalogue.put(skill, { read, sample }))
      }
    },
    async countNewWords(text) {
      const counting = await runStep(() => index.countNewWords(text))
      for (;;) {
        const count = await runStep(counting.step)
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
      leaveRepository(slot)
      fetchCount -= columns.fetchCount.get(slot)
      size--
      ids.remove(slot)
      columns.version.set(slot, 0)
      verdicts.set(slot, { verdict: null, warnings: [], ...undecided })
      index.remove(slot)
      texts.remove(slot)
      copies.remove(slot)
      settleCopies()
      slots.free(slot)
    },
    save: () => saveState(state, slots.end),
    restore(loaded) {
      const end = restoreState(state, loaded)
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

  /** Whether a skill that is held has come from another repository. */
  function isElsewhere(slot: number | undefined, { id }: SkillRecord['repository']): boolean {
    return slot !== undefined && repositories.at(columns.repository.get(slot)).id !== id
  }

  function addressAt(slot: number): Address {
    const { repository, slug } = documents.at(slot)
    return { owner: repository.owner, repo: repository.name, slug }
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

  /** Takes a skill out of where its text leads to it. */
  function withdrawText(slot: number) {
    for (const tag of documents.at(slot).tags) postings.remove(tagGroup(tag), slot)
    addresses.remove(slot)
    documents.forget(slot)
  }

  function announceText(slot: number, { repository, slug, tags }: SkillRecord) {
    for (const tag of tags) postings.add(tagGroup(tag), slot)
    const address = { owner: repository.owner, repo: repository.name, slug }
    addresses.set(slot, address, addressAt)
  }

  function leaveRepository(slot: number) {
    const repository = columns.repository.get(slot)
    postings.remove(repositoryGroup(repository), slot)
    repositories.addSkills(repository, -1)
  }

  /** Writes what columns have of a skill, and moves it in the orders if its place is another. */
  function writeSkill(slot: number, skill: SkillRecord, isNew: boolean) {
    const { starCount, fetchCount: fetches, updatedAt } = columns
    const isOtherwise =
      starCount.get(slot) !== skill.starCount || updatedAt.get(slot) !== skill.updatedAt
    const isJudgedAnew = verdicts.set(slot, skill)
    // By fetches no remembered page is ordered.
    if (isOtherwise || isNew || isJudgedAnew) changes++
    const comes = isNew || isElsewhere(slot, skill.repository)
    const moves = isOtherwise || comes || fetches.get(slot) !== skill.fetchCount
    if (moves && !isNew) orders.remove(slot, copies.isCopy(slot))
    fetchCount += skill.fetchCount - (isNew ? 0 : columns.fetchCount.get(slot))
    writeNumbers(columns, slot, skill)
    columns.owner.set(slot, owners.numberOf(skill.owner))
    const repository = repositories.put(skill.repository, skill.revision)
    if (isNew) {
      size++
      ids.set(slot, skill.id)
    } else if (comes) leaveRepository(slot)
    if (comes) {
      columns.repository.set(slot, repository)
      repositories.addSkills(repository, 1)
      postings.add(repositoryGroup(repository), slot)
    }
    if (moves) orders.add(slot, copies.isCopy(slot))
    documents.renew(slot)
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
