import type { Copies } from '../copies/copies.ts'
import { moveHighest, phraseOf, type SearchMatches, type SkillIndex } from '../search/index.ts'
import type { SkillRecord, Verdict } from '../store/registry/skill-record.ts'
import type { Orders, SkillOrder } from './orders.ts'
import { isVerdictAtMost } from './quarantine.ts'

/** Which skills to list, and in which order. Tags and names match in any case. */
export interface CatalogueQuery {
  readonly q?: string | undefined
  /** Whether the last word of `q` may be unfinished. */
  readonly isTyping?: boolean | undefined
  /** Tags, all of which a skill must have. */
  readonly tags?: readonly string[] | undefined
  readonly owner?: string | undefined
  readonly repo?: string | undefined
  /** Username of the agent that owns the skill. */
  readonly publisher?: string | undefined
  readonly license?: string | undefined
  /** Most serious verdict to include. No limit if undefined. */
  readonly verdict?: Verdict | 'any' | undefined
  /** `relevance` requires `q`. */
  readonly order: SkillOrder | 'relevance'
}

type Accepts = (slot: number) => boolean

/** The private skills that a reader may read. */
interface Seen {
  /** Scopes of the index. */
  readonly scopes: readonly string[]
  readonly slots: readonly number[]
}

export type Find = ReturnType<typeof createFinder>

/** Creates a function that returns the matches with ranks from `start` to before `end`. */
export function createFinder(
  records: readonly (SkillRecord | undefined)[],
  groups: Groups,
  orders: Orders,
  copies: Copies,
  index: SkillIndex,
  owners: ReadonlyMap<string, { record: SkillRecord['owner']; title: string }>,
) {
  let starRanks = ranksIn(orders.stars.list())
  /** Position of each match, by slot. Other slots have that of an earlier search. */
  let matchAt = new Uint32Array(0)

  return function find(query: CatalogueQuery, start: number, end: number, seen: Seen) {
    const { q, isTyping, order } = query
    const wanted = filterFor(query)
    if (q === undefined) {
      const by = order === 'relevance' || order === 'stars' ? 'browse' : order
      const list = orders[by].list(seen.slots)
      if (wanted) return pageOf(list, wanted, start, end)
      return { slots: [...list.subarray(start, end)], total: list.length }
    }
    const maySee = new Set(seen.slots)
    const isShown = (slot: number) => index.scopeOf(slot) === undefined || maySee.has(slot)
    const published = publishedBy(q, isTyping).filter(isShown)
    const matches = addPublished(index.search(q, isTyping, seen.scopes), published)
    // A reader of one repository gets matches in the owner's other repositories, too.
    const accepts =
      seen.scopes.length === 0
        ? wanted
        : (slot: number) => isShown(slot) && (wanted?.(slot) ?? true)
    const list = orders[order === 'relevance' ? 'stars' : order].list(seen.slots)
    if (order === 'relevance') return byRelevance(matches, list, accepts, start, end)
    const matching = new Uint8Array(records.length)
    for (const slot of matches.slots) matching[slot] = 1
    const isMatch = (slot: number) => matching[slot] === 1 && (!accepts || accepts(slot))
    return pageOf(list, isMatch, start, end)
  }

  /** Returns the skills of the publishers, the owners or the `owner/repo` that `q` names. */
  function publishedBy(q: string, isTyping = false): number[] {
    const [name = '', repo] = q.split('/').map(phraseOf)
    if (name.length < 2) return []
    const isPrefix = isTyping && repo === undefined
    const slots = groups.named(name, isPrefix)
    for (const { title, record } of owners.values()) {
      if (isPrefix ? title.startsWith(name) : title === name)
        slots.push(...groups.named(phraseOf(record.username)))
    }
    const repoOf = (slot: number) => phraseOf(records[slot]?.repository.name ?? '')
    return repo === undefined ? slots : slots.filter((slot) => repoOf(slot) === repo)
  }

  /** Returns undefined if the query matches all skills. */
  function filterFor({ verdict = 'any', ...query }: CatalogueQuery): Accepts | undefined {
    const keys = keysOf(query)
    if (keys.size === 0 && verdict === 'any') return undefined
    const hasAll = groups.matcher(keys, records.length)
    return verdict === 'any'
      ? hasAll
      : (slot) => hasAll(slot) && isVerdictAtMost(records[slot] as SkillRecord, verdict)
  }

  /** Sorts by relevance, then by stars. A near-copy scores no higher than a matching original. */
  function byRelevance(
    { slots, scores }: SearchMatches,
    list: Uint32Array,
    accepts: Accepts | undefined,
    start: number,
    end: number,
  ) {
    const { bySlot } = list === starRanks.list ? starRanks : ranksIn(list)
    // Others than the list that all readers share would replace it with every search.
    if (list === orders.stars.list()) starRanks = { list, bySlot }
    if (copies.count > 0) capCopies(slots, scores)
    // Encode score and rank by stars in one number per match, so that one sort orders both.
    const keys = new Float64Array(slots.length)
    let total = 0
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i] as number
      if (accepts && !accepts(slot)) continue
      keys[total++] = (scores[i] as number) * maxSkills - (bySlot[slot] as number)
    }
    moveHighest(keys.subarray(0, total), end)
    const page = keys.subarray(0, Math.min(end, total)).sort().reverse().subarray(start)
    const slotOf = (key: number) => list[Math.ceil(key / maxSkills) * maxSkills - key] as number
    return { slots: Array.from(page, slotOf), total }
  }

  function ranksIn(list: Uint32Array) {
    const bySlot = new Uint32Array(records.length)
    for (let rank = 0; rank < list.length; rank++) bySlot[list[rank] as number] = rank
    return { list, bySlot }
  }

  function capCopies(slots: Uint32Array, scores: Int32Array): void {
    if (matchAt.length < records.length) matchAt = new Uint32Array(2 * records.length)
    for (let i = 0; i < slots.length; i++) matchAt[slots[i] as number] = i
    for (let i = 0; i < slots.length; i++) {
      if (!copies.isCopy(slots[i] as number)) continue
      for (const original of copies.originalsOf(slots[i] as number)) {
        const j = matchAt[original] as number
        // Otherwise the original matched an earlier search.
        if (slots[j] === original) scores[i] = Math.min(scores[i] as number, scores[j] as number)
      }
    }
  }
}

/** Adds skills that do not match by their text, below those that do. */
function addPublished(matches: SearchMatches, published: readonly number[]): SearchMatches {
  if (published.length === 0) return matches
  const slots = Uint32Array.from(new Set([...matches.slots, ...published]))
  const scores = new Int32Array(slots.length)
  scores.set(matches.scores)
  return { slots, scores }
}

/** Limit of ranks. Scores are below 2^31, so a score and a rank fit into 53 bits. */
const maxSkills = 2 ** 21

function pageOf(list: Uint32Array, accepts: Accepts, start: number, end: number) {
  const slots: number[] = []
  let total = 0
  for (let i = 0; i < list.length; i++) {
    const slot = list[i] as number
    if (!accepts(slot)) continue
    if (total >= start && total < end) slots.push(slot)
    total++
  }
  return { slots, total }
}

/** An index of slots by tag, publisher, repository owner and repository name. */
type Groups = ReturnType<typeof createGroups>

export function createGroups() {
  const groups = new Map<string, number[]>()
  return {
    add(slot: number, skill: SkillRecord) {
      for (const key of keysOfSkill(skill)) {
        const slots = groups.get(key)
        if (slots) slots.push(slot)
        else groups.set(key, [slot])
      }
    },
    remove(slot: number, skill: SkillRecord) {
      for (const key of keysOfSkill(skill)) {
        const slots = groups.get(key) ?? []
        const last = slots.pop()
        if (last !== undefined && last !== slot) slots[slots.indexOf(slot)] = last
        if (slots.length === 0) groups.delete(key)
      }
    },
    /** Returns the skills of owners and publishers whose name has, or begins with, these words. */
    named(phrase: string, isPrefix = false): number[] {
      const key = `named ${phrase}`
      const keys = isPrefix ? [...groups.keys()].filter((each) => each.startsWith(key)) : [key]
      return keys.flatMap((each) => groups.get(each) ?? [])
    },
    /** Returns a function that tests whether the skill of a slot below `end` has all keys. */
    matcher(keys: ReadonlySet<string>, end: number): Accepts {
      const matchCounts = new Uint16Array(end)
      for (const key of keys) {
        for (const slot of groups.get(key) ?? [])
          matchCounts[slot] = (matchCounts[slot] as number) + 1
      }
      return (slot) => matchCounts[slot] === keys.size
    },
  }
}

const keysOfSkill = ({ tags, repository, owner, license }: SkillRecord): ReadonlySet<string> =>
  new Set([
    ...keysOf({ tags, owner: repository.owner, repo: repository.name, publisher: owner.username }),
    ...keysOf(license === null ? {} : { license }),
    `named ${phraseOf(repository.owner)}`,
    `named ${phraseOf(owner.username)}`,
  ])

type Grouped = Pick<CatalogueQuery, 'tags' | 'owner' | 'repo' | 'publisher' | 'license'>

function keysOf({ tags = [], owner, repo, publisher, license }: Grouped): ReadonlySet<string> {
  const keys = new Set(tags.map((tag) => `tag ${tag.toLowerCase()}`))
  for (const [name, value] of Object.entries({ owner, repo, publisher, license })) {
    if (value !== undefined) keys.add(`${name} ${value.toLowerCase()}`)
  }
  return keys
}
