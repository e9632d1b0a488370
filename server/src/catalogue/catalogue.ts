import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Copies, createCopies } from '../copies/copies.ts'
import { readTimes, type Sample, sampleInSteps, samplePassages } from '../copies/passages.ts'
import type { Context } from '../runtime/context.ts'
import type { Steps } from '../runtime/steps.ts'
import {
  createSkillIndex,
  phraseOf,
  type ReadSkill,
  type SkillIndex,
  type SkillText,
} from '../search/index.ts'
import type { MemberRole } from '../store/agents/members.ts'
import { type RepositoryRecord, scopeOf } from '../store/registry/repositories.ts'
import { addressOf, type SkillRecord } from '../store/registry/skill-record.ts'
import type { Counters } from './counters.ts'
import { createFinder, createGroups } from './find.ts'
import { createOrders } from './orders.ts'
import { type Reader, readAs } from './reader.ts'
import type { Readmes, Signatures } from './text-caches.ts'

/** Readme length up to which indexing takes about 10 ms or less, in UTF-16 units. */
const maxSyncLength = 8192

/** Removed ids to remember, so that a late, older state does not restore a skill. */
const maxRemovedIds = 10_000

type Indexed = ReadSkill | SkillText

interface AnalyzedReadme {
  readonly read: Indexed
  readonly sample: Sample
}

/** A skill of a snapshot. Its text is already in the index. */
export interface SavedSkill {
  readonly id: string
  readonly slot: number
  /** `textKey` of the indexed text. */
  readonly text: string
  readonly sample: Sample
}

export type Catalogue = ReturnType<typeof createCatalogue>

/**
 * Creates the in-memory catalogue: skill records, their addresses, sort orders and the search
 * index. Search, resolve and address lookups read it instead of the database. It contains only
 * committed data: operations apply a change after its commit and before they respond, and
 * `change-feed.ts` applies the writes of other processes.
 *
 * A catalogue is what all may read. `seenBy` adds the private skills that a reader may read.
 *
 * Records are immutable, except that all skills of a repository or owner share its object, which is
 * updated. The index identifies a skill by its slot, a small integer. `passageKey` is the
 * database's (copies/passages.ts).
 */
export function createCatalogue(
  steps: Steps,
  index: SkillIndex = createSkillIndex(steps),
  passageKey = 0,
) {
  const records: (SkillRecord | undefined)[] = []
  /** Slots of removed skills. Public skills keep their order of slots, whatever is private. */
  const freeSlots = { public: [] as number[], private: [] as number[] }
  const slots = new Map<string, number>()
  const addresses = new Map<string, number>()
  const repositories = new Map<string, Repository>()
  const owners = new Map<string, Owner>()
  const removed = new LRUCache<string, number>({ max: maxRemovedIds })
  const groups = createGroups()
  const copies: Copies = createCopies((id) => slots.get(id))
  const orders = createOrders(records, copies.isCopy)
  const find = createFinder(records, groups, orders, copies, index, owners)
  /** Slots and samples of private skills by scope. */
  const privateSlots = new Map<string, Map<number, Sample>>()
  /** Skills of the snapshot whose rows have not been read yet. */
  let saved = new Map<string, SavedSkill>()
  let isLoading = false

  const recordOf = (slot: number | undefined) => (slot === undefined ? undefined : records[slot])
  const slotAt = (...address: Parameters<typeof skillKey>) => addresses.get(skillKey(...address))
  const { originalsOf } = copies
  const skills = { steps, index, records, slots, slotAt, originalsOf, find, privateSlots }

  // `readAs` has a getter, which an object literal would not keep.
  const catalogue = Object.assign(readAs(skills), {
    index,
    /** Revision up to which changes of other processes are applied. */
    revision: 0,
    passageKey,
    /** Number of changes to anything that clients see, except fetch counts. */
    changes: 0,
    textChanges: 0,
    /** Returns the catalogue with the private skills of a reader, or itself if there are none. */
    seenBy(reader: Reader): Catalogue {
      if (!reader.owners.some((owner) => privateSlots.has(owner))) return catalogue
      return Object.create(catalogue, Object.getOwnPropertyDescriptors(readAs(skills, reader)))
    },
    hasPrivate: () => privateSlots.size > 0,
    /** Returns a skill, whoever may read it. Only for what no reader learns. */
    known: (id: string) => recordOf(slots.get(id)),
    /** Returns the first of the slots that were never used. */
    unusedSlot: () => records.length,
    slotOf: (id: string) => slots.get(id),
    originalsOf,
    /** Returns the first holder of each passage. Skips passages without a holder. */
    firstWith: (passages: ArrayLike<number>) =>
      Array.from(passages).flatMap((passage) => recordOf(copies.firstWith(passage)) ?? []),
    put,
    /** Returns the passages that identify near-copies of a readme. */
    sample: (readme: string) => steps.run(sampleInSteps(readme, passageKey)),
    /** Puts a skill, and yields to the event loop while it analyzes a long readme. */
    async admit(skill: SkillRecord, readme: string, known?: Sample): Promise<void> {
      const text = indexedText(skill, readme)
      if (readme.length <= maxSyncLength) {
        await steps.pause()
        put(skill, known ? { read: text, sample: known } : readme)
        return
      }
      const sample = known ?? (await catalogue.sample(readme))
      const read = await steps.run(index.read(text))
      await steps.run(index.learn(read))
      await steps.pause()
      put(skill, { read, sample })
    },
    /** Updates a repository for all its skills. Ignores a revision older than the current one. */
    putRepository(record: RepositoryRecord, revision: number): void {
      moveRepository(record, revision)
      if (repositories.has(record.id)) shareRepository(record, revision)
      catalogue.changes++
    },
    remove,
    /** Starts a load. Until `endLoad`, all skills must be put or adopted, in any order. */
    beginLoad(skills: readonly SavedSkill[] = []) {
      isLoading = true
      saved = new Map(skills.map((skill) => [skill.id, skill]))
      const usedSlots = new Set(skills.map(({ slot }) => slot))
      // A skill that changed while the snapshot was written is in the index only.
      const end = skills.reduce((max, { slot }) => Math.max(max, slot + 1), 0)
      for (let slot = 0; slot < end || index.size > usedSlots.size; slot++) {
        records[slot] = undefined
        if (usedSlots.has(slot)) continue
        index.remove(slot)
        // A private skill may have been there, so public skills do not fill the gap.
        freeSlots.private.push(slot)
      }
      index.beginLoad()
    },
    /** Puts a skill if its text is already in the index. Returns whether it did. */
    adopt(skill: SkillRecord): boolean {
      const known = saved.get(skill.id)
      if (!known || known.text !== textKey(skill) || scopeOf(skill.repository)) return false
      saved.delete(skill.id)
      writeText(known.slot, skill, known.sample)
      return true
    },
    endLoad() {
      for (const { slot } of saved.values()) {
        index.remove(slot)
        freeSlots.public.push(slot)
      }
      saved.clear()
      index.endLoad()
      isLoading = false
      settle()
      orders.sort()
    },
    /**
     * Yields the skills that are indexed now, for `beginLoad`. Leaves out skills that change during
     * the iteration.
     */
    *skillsToSave(before = records.slice()): Generator<SavedSkill> {
      for (const [slot, skill] of before.entries()) {
        if (!skill || scopeOf(skill.repository) || !hasSameText(skill, records[slot])) continue
        yield { id: skill.id, slot, text: textKey(skill), sample: copies.sampleOf(slot) }
      }
    },
  })
  return catalogue

  /**
   * Applies a new state of a skill. Ignores a state that is older than the current one, and a state
   * with a changed text but no `readme`, which `change-feed.ts` applies later.
   */
  function put(skill: SkillRecord, readme?: string | AnalyzedReadme): void {
    if ((removed.get(skill.id) ?? -1) >= skill.revision) return
    const slot = slots.get(skill.id)
    const previous = recordOf(slot)
    if (previous && previous.revision > skill.revision) return
    moveRepository(skill.repository, skill.revision)
    if (slot !== undefined && previous && hasSameText(skill, previous)) {
      // A transfer or a repeated import changes what filters find.
      const moves = previous.owner.id !== skill.owner.id || previous.license !== skill.license
      if (moves) groups.remove(slot, previous)
      const record = write(slot, skill)
      if (moves) groups.add(slot, record)
      settle()
    } else if (readme !== undefined) putText(skill, readme)
  }

  function putText(skill: SkillRecord, readme: string | AnalyzedReadme): void {
    const { read, sample } =
      typeof readme === 'string'
        ? { read: indexedText(skill, readme), sample: samplePassages(readme, passageKey) }
        : readme
    const { id, repository } = skill
    const free = scopeOf(repository) === undefined ? freeSlots.public : freeSlots.private
    const slot = slots.get(id) ?? saved.get(id)?.slot ?? free.pop() ?? records.length
    saved.delete(id)
    writeText(slot, skill, sample, read)
  }

  /**
   * Removes a skill as of a revision. Only a later state restores it; without a revision no state
   * does.
   */
  function remove(id: string, revision = Number.POSITIVE_INFINITY): void {
    const slot = slots.get(id)
    const previous = recordOf(slot)
    // The change feed may report a removal after the skill has been restored.
    if (previous && previous.revision > revision) return
    removed.set(id, Math.max(revision, removed.get(id) ?? 0))
    if (slot === undefined || !previous) return
    unlist(slot, previous)
    slots.delete(id)
    const free = index.scopeOf(slot) === undefined ? freeSlots.public : freeSlots.private
    hide(slot)
    index.remove(slot)
    records[slot] = undefined
    settle()
    free.push(slot)
  }

  function write(slot: number, skill: SkillRecord): SkillRecord {
    const previous = records[slot]
    const { record: repository } = shareRepository(skill.repository, skill.revision)
    const isPublic = scopeOf(repository) === undefined
    if (isPublic && (!previous || withoutFetches(previous) !== withoutFetches(skill)))
      catalogue.changes++
    const record = { ...skill, repository, owner: shareOwner(skill) }
    records[slot] = record
    if (isPublic) {
      orders.touch(slot)
      copies.setClaim(slot, skill.copyClaim)
    }
    return record
  }

  /** Replaces the record of a skill, and its text unless the index has it. */
  function writeText(slot: number, skill: SkillRecord, sample: Sample, read?: Indexed): void {
    const previous = records[slot]
    if (previous) {
      unlist(slot, previous)
      hide(slot)
    }
    const record = write(slot, skill)
    slots.set(skill.id, slot)
    addresses.set(addressOf(record).toLowerCase(), slot)
    groups.add(slot, record)
    repositories.get(record.repository.id)?.slots.add(slot)
    if (read) index.put(slot, read, scopeOf(record.repository))
    show(slot, record, sample)
    settle()
  }

  /** Lets the readers of a skill find it. Private skills are not compared with others. */
  function show(slot: number, skill: SkillRecord, sample: Sample): void {
    const scope = scopeOf(skill.repository)
    index.move(slot, scope)
    if (scope !== undefined) {
      privateSlots.set(scope, (privateSlots.get(scope) ?? new Map()).set(slot, sample))
      return
    }
    const { id, createdAt, repository, passageTimes } = skill
    const publisher = repository.owner.toLowerCase()
    copies.put(slot, { id, publisher, createdAt, sample, times: readTimes(passageTimes) })
    copies.setClaim(slot, skill.copyClaim)
    markChanged(slot)
  }

  /** Undoes `show`, except in the index. */
  function hide(slot: number): void {
    const scope = index.scopeOf(slot)
    if (scope === undefined) {
      copies.remove(slot)
      markChanged(slot)
      return
    }
    const others = privateSlots.get(scope)
    others?.delete(slot)
    if (others?.size === 0) privateSlots.delete(scope)
  }

  function markChanged(slot: number): void {
    catalogue.changes++
    catalogue.textChanges++
    orders.touch(slot)
  }

  /** Moves the skills of a repository with another owner, name or visibility. */
  function moveRepository(record: RepositoryRecord, revision: number): void {
    const known = repositories.get(record.id)
    if (!known || revision < known.revision || placeOf(known.record) === placeOf(record)) return
    const moving = [...known.slots].flatMap((slot) => {
      const skill = records[slot] as SkillRecord
      const sample = privateSlots.get(scopeOf(skill.repository) ?? '')?.get(slot)
      const moved = { slot, skill, sample: sample ?? copies.sampleOf(slot) }
      unlist(slot, skill)
      hide(slot)
      records[slot] = undefined
      return moved
    })
    Object.assign(known.record, record)
    for (const { slot, skill, sample } of moving) writeText(slot, skill, sample)
  }

  /** Removes a skill from the addresses, groups and its repository. */
  function unlist(slot: number, previous: SkillRecord): void {
    const address = addressOf(previous).toLowerCase()
    if (addresses.get(address) === slot) addresses.delete(address)
    groups.remove(slot, previous)
    repositories.get(previous.repository.id)?.slots.delete(slot)
  }

  /** Updates near-copies and reorders the skills whose status changed. */
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

  function shareOwner({ owner, revision }: SkillRecord): SkillRecord['owner'] {
    const known = owners.get(owner.id)
    if (known && revision < known.revision) return known.record
    const record = Object.assign(known?.record ?? {}, owner)
    owners.set(owner.id, { record, revision, title: phraseOf(owner.displayName ?? '') })
    return record
  }
}

/** An agent as of a revision, and the words of its display name. */
interface Owner {
  readonly record: SkillRecord['owner']
  readonly revision: number
  readonly title: string
}

/** A repository as of a revision, and the slots of its skills. */
interface Repository {
  readonly record: RepositoryRecord
  revision: number
  readonly slots: Set<number>
}

/** Returns what decides where a repository's skills are, and who reads them. */
const placeOf = ({ agentId, owner, name, visibility }: RepositoryRecord): string =>
  JSON.stringify([agentId, owner, name, visibility])

const skillKey = (owner: string, repo: string, slug: string) =>
  `${owner}/${repo}/${slug}`.toLowerCase()

/** Returns whether two states of a skill have the same text, readme and repository. */
export const hasSameText = (a: SkillRecord, b: SkillRecord | undefined): boolean =>
  b !== undefined && a.repository.id === b.repository.id && textOf(a) === textOf(b)

/** Returns the client-visible fields of a skill as JSON, without fetch counts. */
const withoutFetches = ({ repository, ...skill }: SkillRecord): string =>
  JSON.stringify({
    ...skill,
    revision: 0,
    fetchCount: 0,
    networkFetchCount: 0,
    passageTimes: null,
    repository: { ...repository, downloadCount: 0 },
  })

/** Returns a digest of a skill's indexed text. */
const textKey = (skill: SkillRecord): string =>
  createHash('sha256').update(textOf(skill)).digest('base64')

const textOf = ({ slug, name, description, indexedDescription, digest, tags }: SkillRecord) =>
  JSON.stringify([slug, name, description, indexedDescription, digest, tags])

const indexedText = (skill: SkillRecord, readme: string) => ({
  name: skill.name,
  slug: skill.slug,
  description: skill.indexedDescription ?? skill.description,
  tags: skill.tags,
  readme,
})

/** Dependencies of the registry's operations. */
export interface RegistryContext extends Context {
  /** Returns the role of the request's caller for a repository. */
  readonly roleIn?: (repository: RepositoryRecord) => Promise<MemberRole | undefined>
  readonly catalogue: Catalogue
  readonly readmes: Readmes
  readonly signatures: Signatures
  readonly counters: Counters
  /** When an installer was last refused an index, by client, on the monotonic clock. */
  readonly refusedClients: LRUCache<string, number>
}
