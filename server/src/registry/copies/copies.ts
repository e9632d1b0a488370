import { createIntegers } from '../columns/column.ts'
import type { SkillColumns } from '../columns/columns.ts'
import type { Ids } from '../columns/ids.ts'
import type { CopyWord } from '../store/skill-record.ts'
import { createCopiedFinder } from './find-copied.ts'
import { createHolders, slotOf } from './holders.ts'
import { isAlike } from './near.ts'
import { createParents, MOST_PARENTS } from './parents.ts'
import { SAMPLE, type Sample } from './passages.ts'

/** What is known of a skill besides its passages. */
export interface Skills {
  readonly columns: Pick<SkillColumns, 'createdAt' | 'version'>
  readonly ids: Pick<Ids, 'compare' | 'find'>
  /** Who publishes a skill: equal for equal publishers. */
  publisherOf(slot: number): string
}

export type Copies = ReturnType<typeof createCopies>

/**
 * Which skills are near-copies of which older ones. What is decided depends on the skills that are
 * held and not on the order in which they came.
 */
export function createCopies({ columns, ids, publisherOf }: Skills) {
  /** By entry (holders.ts): the hash of a passage; 0 where there is none. */
  const passages = createIntegers()
  /** By slot: how many passages its readme has. */
  const counts = createIntegers()
  const parents = createParents()
  const { isCopy, parentsOf, originalsOf } = parents
  /** By slot, where a skill was changed: when it first had each passage, ms since 1970. */
  const ages = new Map<number, readonly number[]>()
  const words = new Map<number, CopyWord>()
  const holders = createHolders(passages, compareEntries)
  const findCopied = createCopiedFinder({ passages, counts, holders, publisherOf, compareSkills })
  /** Slots whose parents are to be found anew. */
  const dirty = new Set<number>()
  /** Passages all of whose holders are to be looked at, also those that are not kept. */
  const scattered = new Set<number>()
  let end = 0
  let count = 0

  return {
    put,
    remove,
    tell,
    renewNaming,
    settle,
    parentsOf,
    originalsOf,
    /** The slot that held a passage first; undefined where none holds it. */
    firstWith(passage: number): number | undefined {
      const entry = holders.first(passage)
      return entry === undefined ? undefined : slotOf(entry)
    },
    isCopy,
    isCopied: parents.isCopied,
    wordOf: (slot: number) => words.get(slot) ?? null,
    /** How many are near-copies. */
    get count() {
      return count
    },
    /** Above every slot that is or was in use. */
    get end() {
      return end
    },
    passages,
    counts,
    parents: parents.column,
    ages,
    words,
    restore,
  }

  function ageOf(entry: number): number {
    const slot = slotOf(entry)
    return ages.get(slot)?.[entry - slot * SAMPLE] ?? columns.createdAt.get(slot)
  }

  function compareSkills(a: number, b: number): number {
    return columns.createdAt.get(a) - columns.createdAt.get(b) || ids.compare(a, b)
  }

  function compareEntries(a: number, b: number): number {
    return ageOf(a) - ageOf(b) || compareSkills(slotOf(a), slotOf(b))
  }

  /** Takes in the sample of a skill's readme, and when it had each passage first if that differs. */
  function put(slot: number, sample: Sample, firstHad?: readonly number[]): void {
    withdraw(slot)
    end = Math.max(end, slot + 1)
    counts.set(slot, sample.count)
    if (firstHad) ages.set(slot, firstHad)
    // most skills share nothing with any other, and need not be looked at again
    if (isCopy(slot) || words.has(slot)) dirty.add(slot)
    for (const [i, passage] of sample.passages.entries()) {
      const entry = slot * SAMPLE + i
      passages.set(entry, passage)
      if (!holders.add(entry)) dirty.add(slot)
      else if (holders.isShared(passage)) disturb(entry)
    }
  }

  function remove(slot: number): void {
    withdraw(slot)
    tell(slot, null)
    dirty.add(slot)
  }

  /** Takes a skill's passages out. */
  function withdraw(slot: number): void {
    if (parents.isCopied(slot)) {
      for (let other = 0; other < end; other++) {
        if (parentsOf(other).includes(slot)) dirty.add(other)
      }
    }
    for (let entry = slot * SAMPLE; entry < (slot + 1) * SAMPLE; entry++) {
      if (passages.get(entry) === 0) continue
      if (holders.remove(entry)) disturb(entry)
      passages.set(entry, 0)
    }
    ages.delete(slot)
  }

  /** An entry has become the first of its passage, or is no more: what the others copy may be another. */
  function disturb(entry: number): void {
    const passage = passages.get(entry)
    if (holders.isCrowded(passage)) scattered.add(passage)
    for (const other of holders.of(passage)) dirty.add(slotOf(other))
  }

  /** Takes in what the publisher or an operator says of a skill; null where they say nothing. */
  function tell(slot: number, word: CopyWord | null): void {
    const former = words.get(slot)
    if (former === undefined && word === null) return
    if (word === null) words.delete(slot)
    else words.set(slot, word)
    dirty.add(slot)
    for (const each of [former, word]) {
      const named = each?.copyOf ? ids.find(each.copyOf) : undefined
      if (named !== undefined) dirty.add(named)
    }
  }

  /** To be called when a skill has come, changed or gone: what is said of it now holds, or does not. */
  function renewNaming(id: string): void {
    for (const [slot, { copyOf }] of words) if (copyOf === id) dirty.add(slot)
  }

  /** Brings everything up to date; `onChange` hears who has become a near-copy, or is none any more. */
  function settle(onChange: (slot: number, isCopy: boolean) => void): void {
    gatherScattered()
    for (const slot of dirty) {
      const found = columns.version.get(slot) === 0 ? [] : findParents(slot)
      const was = isCopy(slot)
      parents.set(slot, found)
      if (was === found.length > 0) continue
      count += was ? -1 : 1
      onChange(slot, !was)
    }
    dirty.clear()
  }

  /** Goes through all samples for passages whose holders are not all kept. */
  function gatherScattered(): void {
    if (scattered.size === 0) return
    for (const passage of scattered) holders.forget(passage)
    const low = new Uint8Array(65_536)
    for (const passage of scattered) low[passage & 0xffff] = 1
    for (let entry = 0; entry < end * SAMPLE; entry++) {
      const passage = passages.get(entry)
      if (low[passage & 0xffff] === 0 || !scattered.has(passage)) continue
      dirty.add(slotOf(entry))
      holders.add(entry)
    }
    scattered.clear()
  }

  function findParents(slot: number): number[] {
    const word = words.get(slot)
    const named = word?.copyOf ? ids.find(word.copyOf) : undefined
    const says = named === undefined || !isBelieved(slot, named) ? [] : [named]
    if (word?.by === 'operator') return says
    const id = (other: number) => words.get(other)?.copyOf
    const found = findCopied(slot).filter((other) => {
      const theirs = id(other)
      return other !== named && (theirs == null || ids.find(theirs) !== slot)
    })
    return [...says, ...found].slice(0, MOST_PARENTS)
  }

  /** Whether what is said of a skill makes it a copy of the named one. */
  function isBelieved(slot: number, named: number): boolean {
    if (named === slot || yields(slot, named)) return false
    return words.get(slot)?.by === 'operator' || isAlike(sampleOf(slot), sampleOf(named))
  }

  function sampleOf(slot: number): readonly number[] {
    const start = slot * SAMPLE
    if (passages.get(start) === 0) return []
    return Array.from({ length: SAMPLE }, (_, i) => passages.get(start + i))
  }

  /** Where each of two publishers names the other's skill, the older skill is the original. */
  function yields(slot: number, named: number): boolean {
    const theirs = words.get(named)
    if (!theirs?.copyOf || ids.find(theirs.copyOf) !== slot) return false
    const own = words.get(slot)
    if (own?.by !== theirs.by) return theirs.by === 'operator'
    return compareSkills(slot, named) < 0
  }

  /** Works out what follows from the columns, once these have been restored. */
  function restore(alive: Uint32Array): void {
    for (const slot of alive) {
      end = Math.max(end, slot + 1)
      if (isCopy(slot)) count++
      parents.restore(slot)
      for (let entry = slot * SAMPLE; entry < (slot + 1) * SAMPLE; entry++) {
        if (passages.get(entry) !== 0) holders.add(entry)
      }
    }
  }
}
