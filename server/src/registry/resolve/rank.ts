import type { CandidateFinder } from './candidates.ts'
import { type Collection, type DocumentView, viewOfLive } from './collection.ts'
import { confidenceOf, type Evidence } from './confidence.ts'
import {
  COVERAGE_WEIGHT,
  CROWD_RANK,
  MOST_RESCORED,
  NAME_PRECISION_WEIGHT,
  PAIR_WEIGHT,
  READ_WHOLE,
  RESCORED,
  WINDOW_WEIGHT,
} from './constants.ts'
import { demote } from './demote.ts'
import type { DocumentEvidence, EvidenceReader } from './evidence.ts'
import { type Explanation, explain } from './explanation.ts'
import type { Query } from './query.ts'
import { alike } from './sketch.ts'
import { byScore, nearEqual, settleTies } from './ties.ts'

export interface ResolveHit {
  slot: number
  /** Ranking score: comparable within one answer only. */
  score: number
  /** Probability from 0 to 1 that the skill serves the task: comparable everywhere. */
  confidence: number
  explanation: Explanation
  /** Slots of the other skills among the best that say nearly the same (sketch.ts). */
  copies: number[]
}

/** What a score is put together from, by the weights of constants.ts. */
export interface ScoreParts extends Readonly<DocumentEvidence> {
  /** The most that the task's words could give (U). */
  bound: number
  /** IDF of all of the task's stems. */
  idf: number
}

export interface ResolveOptions {
  limit: number
  /** Least confidence of a hit. */
  threshold: number
  /** Trust from 0 to 1; orders skills that fit equally well, and nothing else. */
  prior?: (slot: number) => number
  /** What votes leave of a skill's score and confidence: 1, or less where they are against it. */
  demotion?: (slot: number) => number
  /** Order of skills of the same score; by slot when left out. */
  order?: (a: number, b: number) => number
  /**
   * Told what each confidence rests on, best first, and the parts of each score that is exact, for
   * fitting both (test/bench/fit-confidence.ts, fit-ranking.ts). Told again of more candidates
   * wherever all of the first pass the threshold.
   */
  onEvidence?: (slot: number, evidence: Evidence, parts: ScoreParts | undefined) => void
}

export interface Ranking {
  hits: ResolveHit[]
  matched: number
}

interface Candidate {
  document: DocumentView
  slot: number
  score: number
  /** Evidence of words side by side, as a share of what the task's words could give. */
  pairs: number
  coverage: number
  confidence: number
  /** For each term a bit per SECTION in which it stands. */
  sections: Uint16Array | undefined
  /** Only where somebody is told of them. */
  parts: ScoreParts | undefined
}

/** Ranks the documents of a collection: candidates by stems, then the best of them exactly. */
export function createRanker(
  collection: Collection,
  finder: CandidateFinder,
  reader: EvidenceReader,
  norms: () => Float64Array,
): (query: Query, options: ResolveOptions) => Ranking {
  return (query, options) => {
    if (query.terms.length === 0 || collection.size === 0) return { hits: [], matched: 0 }
    let depth = Math.max(RESCORED, options.limit)
    const first = rankTo(depth, query, options, options.limit)
    let { matched, reached, scored } = first
    // Where every one of them passes the threshold, others behind them may: copies by the dozen.
    while (
      options.threshold > 0 &&
      reached === scored &&
      scored >= depth &&
      depth < MOST_RESCORED
    ) {
      depth = Math.min(depth * 4, MOST_RESCORED)
      ;({ matched, reached, scored } = rankTo(depth, query, options, 0))
    }
    return { hits: first.hits, matched: Math.max(matched, first.hits.length) }
  }

  /** Ranks so many candidates, and presents the first. */
  function rankTo(depth: number, query: Query, options: ResolveOptions, presented: number) {
    const { threshold, prior, demotion } = options
    const exhaustive = threshold <= 0
    const passing = (list: readonly Candidate[]) => {
      const end = list.findIndex(({ confidence }) => confidence < threshold)
      return end === -1 ? list.length : end
    }
    try {
      reader.begin(query, norms())
      const before = byScore(options.order)
      const { ranked, matching } = score(query, depth, options)
      grade(ranked, query, options)
      // votes and trust lower or reorder: who does not pass without them is not asked about
      const reached = passing(ranked)
      const able = ranked.slice(0, reached)
      const settled = prior ? settleTies(able, prior, before) : able
      const shown = demotion ? demote(settled, ({ slot }) => demotion(slot)) : settled
      const matched = passing(shown)
      const hits = shown
        .slice(0, Math.min(presented, matched))
        .map((hit) => present(hit, ranked, query))
      return { hits, matched: exhaustive ? matching : matched, reached, scored: ranked.length }
    } finally {
      reader.end()
    }
  }

  /**
   * The candidates with their scores, best first, and how many documents match at all. Readmes are the
   * bulk of the reading: only those of the documents are read that promise most by what their stems,
   * name, tags and description say. The others keep the estimate, and their place behind.
   */
  function score(query: Query, depth: number, options: ResolveOptions) {
    const found = finder.find(query, depth, options.threshold <= 0)
    const before = byScore(options.order)
    const estimated = found.best.map(({ document, estimate }) => {
      const evidence = reader.readHead(document)
      return candidate(document, evidence, estimate * query.bound, query)
    })
    estimated.sort(before)
    const deep = Math.max(READ_WHOLE, Math.ceil(options.limit * 1.5), (depth - RESCORED) / 4)
    const exact: Candidate[] = []
    const add = (document: DocumentView) => {
      const evidence = reader.read(document)
      if (evidence.words === 0) return false
      const added = candidate(document, evidence, evidence.words, query)
      added.sections = reader.sections().slice(0, query.terms.length)
      if (options.onEvidence) added.parts = { ...evidence, bound: query.bound, idf: query.idf }
      exact.push(added)
      return true
    }
    for (const { document } of estimated.slice(0, deep)) add(document)
    // before the live ones: one that hardly fits must not pull the others down
    const least = exact.reduce((lowest, { score }) => Math.min(lowest, score), 1)
    let { matching } = found
    for (const document of collection.live) if (add(viewOfLive(document))) matching++
    const rest = estimated.slice(deep)
    for (const each of rest) each.score = Math.min(each.score, least)
    return { ranked: exact.concat(rest).sort(before), matching }
  }

  function candidate(
    document: DocumentView,
    { beside, near, namePrecision, headIdf }: DocumentEvidence,
    words: number,
    query: Query,
  ): Candidate {
    const score =
      (words + PAIR_WEIGHT * beside + WINDOW_WEIGHT * near) / query.bound +
      NAME_PRECISION_WEIGHT * namePrecision +
      COVERAGE_WEIGHT * (headIdf / query.idf)
    const pairs = beside / query.bound
    return {
      document,
      slot: document.slot,
      score,
      pairs,
      coverage: headIdf,
      confidence: 0,
      sections: undefined,
      parts: undefined,
    }
  }

  /** Fills in confidences: never rising along the ranking, the same among near-equal scores. */
  function grade(
    ranked: readonly Candidate[],
    query: Query,
    { threshold, onEvidence }: ResolveOptions,
  ): void {
    const totalIdf = query.idf
    const contentStems = query.terms.filter(({ filler }) => !filler).length
    const top = ranked[0]?.score ?? 0
    // fewer matches leave no crowd to stand out from; near-copies alone do not reach rank 50
    const crowd = (ranked[CROWD_RANK - 1]?.score ?? 0) / top
    let ceiling = 1
    // what is behind one below the threshold is below it, too
    for (let i = 0; i < ranked.length && (ceiling >= threshold || onEvidence); ) {
      const group = nearEqual(ranked, i)
      let confidence = 0
      for (let j = i; j < group; j++) {
        const { slot, score, pairs, coverage, parts } = ranked[j] as Candidate
        const evidence = {
          score,
          pairs,
          contentStems,
          coverage: coverage / totalIdf,
          crowd,
          relative: score / top,
          size: collection.size,
        }
        onEvidence?.(slot, evidence, parts)
        confidence = Math.max(confidence, confidenceOf(evidence))
      }
      ceiling = Math.min(ceiling, confidence)
      for (; i < group; i++) (ranked[i] as Candidate).confidence = ceiling
    }
  }

  function present(hit: Candidate, ranked: readonly Candidate[], query: Query): ResolveHit {
    const { slot, score, confidence, document } = hit
    const explanation = explain(query, sectionsOf(hit), hit.coverage)
    const copies: number[] = []
    for (const other of ranked) {
      if (other.slot === slot) continue
      if (isCopy(document, other.document)) copies.push(other.slot)
    }
    return { slot, score, confidence, explanation, copies }
  }

  /** Its sections, read now if its readme was not read for its score. */
  function sectionsOf({ sections, document }: Candidate): Uint16Array {
    if (sections) return sections
    reader.read(document)
    return reader.sections()
  }
}

const isCopy = (a: DocumentView, b: DocumentView): boolean =>
  alike(a.sketches, a.sketchAt, b.sketches, b.sketchAt)
