import { README_BITS, SECTION } from '../document/forward-index.ts'
import type { Query } from './parse.ts'
import {
  breakTies,
  cappedAt,
  type RankedHit,
  type Ranking,
  type ResolveOptions,
  type SkillView,
  type ViewedHit,
} from './ranking.ts'

export interface ResolveHit {
  slot: number
  /** Ranking score, comparable within one result only. */
  score: number
  /** Probability that the skill serves the task, comparable between tasks. */
  confidence: number
  explanation: Explanation
}

export interface ResolveResult {
  /** Best first, at most `limit`, each at or above the threshold. */
  hits: ResolveHit[]
  /** Weights of the query terms as written, in lower case: IDF times emphasis. */
  tokenWeights: Readonly<Record<string, number>>
  /**
   * Skills that reach the threshold, before the limit: at most `MAX_CANDIDATES`, unless the
   * threshold is 0.
   */
  matched: number
}

/** Applies votes, ties and originals to a ranking, then cuts and explains it. */
export function answer(
  { query, hits: ranked, matchCount }: Ranking,
  { limit, threshold, isFiltered = false }: ResolveOptions,
  viewOf: (slot: number) => SkillView,
  readSections: (hit: RankedHit, query: Query) => Uint16Array,
): ResolveResult {
  const eligible = ranked.flatMap((hit) => {
    const view = viewOf(hit.slot)
    return view.isEligible ? { ...hit, view } : []
  })
  // Views only reorder or lower hits.
  const settled = behindOriginals(demote(breakTies(eligible)))
  const end = settled.findIndex(({ confidence }) => confidence < threshold)
  const reached = end === -1 ? settled.length : end
  const hits = settled.slice(0, Math.min(limit, reached)).map((hit) => {
    const { slot, score, confidence, headIdf, sections = readSections(hit, query) } = hit
    return { slot, score, confidence, explanation: explain(query, sections, headIdf) }
  })
  const matched = threshold <= 0 && !isFiltered ? matchCount : reached
  return { hits, matched: Math.max(matched, hits.length), tokenWeights: query.weights }
}

/**
 * Multiplies score and confidence of each hit by its demotion, 0 to 1. A lowered hit moves behind
 * every hit that beats it in either number, and its numbers are capped at theirs. Hits with a
 * demotion of 1 keep their numbers and relative order.
 */
function demote(hits: ViewedHit[]): ViewedHit[] {
  const unchanged = hits.filter(({ view }) => view.demotion >= 1)
  if (unchanged.length === hits.length) return hits
  const lowered = hits.map((hit) => (hit.view.demotion >= 1 ? hit : behind(unchanged, hit)))
  lowered.sort(
    (a, b) => b.score - a.score || b.confidence - a.confidence || b.view.demotion - a.view.demotion,
  )
  let ceiling = 1
  return lowered.map((hit) => {
    ceiling = Math.min(ceiling, hit.confidence)
    return ceiling < hit.confidence ? { ...hit, confidence: ceiling } : hit
  })
}

/** Lowers a hit, and caps its numbers at those of the unchanged hits that beat it in either. */
function behind(unchanged: readonly ViewedHit[], hit: ViewedHit): ViewedHit {
  let score = hit.score * hit.view.demotion
  let confidence = hit.confidence * hit.view.demotion
  for (const other of unchanged) {
    if (other.score <= score && other.confidence <= confidence) break
    score = Math.min(score, other.score)
    confidence = Math.min(confidence, other.confidence)
  }
  return { ...hit, score, confidence }
}

/**
 * Moves each near-copy right behind the last of its originals and caps its score and confidence at
 * theirs. A copy whose original is not among the hits goes to the end with score and confidence 0,
 * because the original has the same content and did not match. It keeps its place if that original
 * is younger, so that publishing a skill cannot lower an older one.
 */
function behindOriginals(hits: ViewedHit[]): ViewedHit[] {
  if (hits.every(({ view }) => view.originals.length === 0)) return hits
  const places = new Map(hits.map(({ slot }, place) => [slot, place]))
  const end = hits.length
  const placed = hits.map((hit, rank) => {
    const originalPlaces = hit.view.originals.map(
      ({ slot, createdAt }) => places.get(slot) ?? (hit.view.createdAt < createdAt ? rank : end),
    )
    const place = Math.max(rank, ...originalPlaces)
    if (place === rank) return { hit, place }
    const lowered = cappedAt(hit, hits[place] ?? { score: 0, confidence: 0 })
    // Behind the original, which keeps the integer place.
    return { hit: lowered, place: place + 0.5 }
  })
  return placed.sort((a, b) => a.place - b.place).map(({ hit }) => hit)
}

/** Sections by field. The aside is part of the description. */
const FIELDS = [
  { name: 'name', bits: 1 << SECTION.name },
  { name: 'slug', bits: 1 << SECTION.slug },
  { name: 'tags', bits: 1 << SECTION.tags },
  { name: 'description', bits: (1 << SECTION.description) | (1 << SECTION.aside) },
  { name: 'readme', bits: README_BITS },
] as const

type ExplainedField = (typeof FIELDS)[number]['name']

/** The query terms that a skill contains. */
export interface Explanation {
  /** Words of the task, as written, with the fields that contain them and their weights. */
  tokens: { token: string; fields: ExplainedField[]; weight: number }[]
  /** Share of the task's IDF in name, slug, tags or description, 0 to 1. */
  coverage: number
  /** Words of the task that the skill lacks, heaviest first, at most ten. */
  missing: string[]
}

/**
 * Explains a hit. `sections` has, for each query term, a bit per SECTION that contains it.
 * `headIdf` is the IDF of the terms in the head.
 */
function explain(query: Query, sections: Uint16Array, headIdf: number): Explanation {
  /** Sections by word. A compound that is read as two words is in two terms, and needs both. */
  const found = new Map<string, number>()
  for (const { words, place } of query.terms) {
    const bits = sections[place] as number
    for (const { surface } of words) {
      const others = found.get(surface) ?? bits
      found.set(surface, bits === 0 || others === 0 ? 0 : bits | others)
    }
  }
  const weightOf = (word: string) => query.weights[word] as number
  const all = [...found]
  return {
    tokens: all
      .filter(([, bits]) => bits !== 0)
      .map(([token, bits]) => ({ token, fields: fieldsOf(bits), weight: weightOf(token) })),
    coverage: Math.min(1, headIdf / query.idf),
    missing: all
      .flatMap(([word, bits]) => (bits === 0 ? word : []))
      .sort((a, b) => weightOf(b) - weightOf(a))
      .slice(0, MAX_MISSING),
  }
}

const MAX_MISSING = 10

function fieldsOf(sections: number): ExplainedField[] {
  const fields: ExplainedField[] = []
  for (const { name, bits } of FIELDS) if ((sections & bits) !== 0) fields.push(name)
  return fields
}
