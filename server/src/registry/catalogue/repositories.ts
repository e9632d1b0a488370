import { createIntegers, createSignedIntegers } from '../columns/column.ts'
import { createSortedList, type SortedList } from '../columns/sorted-list.ts'
import type { RepositoryRecord } from '../store/repositories.ts'

/** A repository as of a revision. */
export interface KnownRepository {
  readonly record: RepositoryRecord
  readonly revision: number
}

/**
 * The repositories of the skills that are held, each once, by a number. A record is never changed,
 * but replaced.
 */
export interface Repositories {
  /** Takes a repository's state in unless a later one is known, and gives its number. */
  put(record: RepositoryRecord, revision: number): number
  at(number: number): RepositoryRecord
  starCount(number: number): number
  downloadCount(number: number): number
  /** How many skills are held of it. */
  skillCount(number: number): number
  addSkills(number: number, count: number): void
  /** Those of an owner, of a name, or of both; compared without case. */
  find(by: { owner?: string | undefined; name?: string | undefined }): readonly number[]
  /** By stars, most first. */
  readonly byStars: SortedList
  /** By downloads, most first. */
  readonly byDownloads: SortedList
  all(): readonly KnownRepository[]
  /** How often the stars of any changed. */
  readonly starChanges: number
}

export function createRepositories(): Repositories {
  const known: KnownRepository[] = []
  const numbers = new Map<string, number>()
  const ofOwner = new Map<string, number[]>()
  const ofName = new Map<string, number[]>()
  const stars = createSignedIntegers()
  const downloads = createSignedIntegers()
  const skills = createIntegers()
  let starChanges = 0
  const byStars = createSortedList((a, b) => stars.get(b) - stars.get(a) || a - b)
  const byDownloads = createSortedList((a, b) => downloads.get(b) - downloads.get(a) || a - b)

  return {
    put(record, revision) {
      const number = numbers.get(record.id)
      if (number === undefined) return add(record, revision)
      const former = known[number]
      if (former && revision >= former.revision) replace(number, former, record, revision)
      return number
    },
    at: (number) => (known[number] as KnownRepository).record,
    starCount: stars.get,
    downloadCount: downloads.get,
    skillCount: skills.get,
    addSkills: (number, count) => skills.set(number, skills.get(number) + count),
    find({ owner, name }) {
      const owned = owner === undefined ? undefined : (ofOwner.get(owner.toLowerCase()) ?? [])
      if (name === undefined) return owned ?? []
      const wanted = name.toLowerCase()
      if (!owned) return ofName.get(wanted) ?? []
      return owned.filter((number) => known[number]?.record.name.toLowerCase() === wanted)
    },
    byStars,
    byDownloads,
    all: () => known,
    get starChanges() {
      return starChanges
    },
  }

  function add(record: RepositoryRecord, revision: number): number {
    const number = known.push({ record, revision }) - 1
    numbers.set(record.id, number)
    enlist(ofOwner, record.owner, number)
    enlist(ofName, record.name, number)
    stars.set(number, record.starCount)
    downloads.set(number, record.downloadCount)
    byStars.add(number)
    byDownloads.add(number)
    return number
  }

  function replace(
    number: number,
    { record: former }: KnownRepository,
    record: RepositoryRecord,
    revision: number,
  ) {
    const same =
      former.starCount === record.starCount &&
      former.upstreamStars === record.upstreamStars &&
      former.downloadCount === record.downloadCount
    const isAsBefore =
      same && former.agentId === record.agentId && former.verifiedAs === record.verifiedAs
    known[number] = { record: isAsBefore ? former : { ...former, ...record }, revision }
    if (same) return
    if (former.starCount !== record.starCount) starChanges++
    byStars.remove(number)
    byDownloads.remove(number)
    stars.set(number, record.starCount)
    downloads.set(number, record.downloadCount)
    byStars.add(number)
    byDownloads.add(number)
  }
}

function enlist(lists: Map<string, number[]>, name: string, number: number) {
  const key = name.toLowerCase()
  const list = lists.get(key)
  if (list) list.push(number)
  else lists.set(key, [number])
}
