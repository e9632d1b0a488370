import {
  COVERAGE_WEIGHT,
  CROWD_RANK,
  MAX_CANDIDATES,
  MAX_HEAD_READS,
  MAX_README_GAIN,
  MAX_README_READS,
  MIN_README_READS,
  NAME_PRECISION_WEIGHT,
  PAIR_WEIGHT,
  WINDOW_WEIGHT,
} from '../constants/constants.ts'
import { type Collection, type DocumentView, viewOfDocument } from '../segment/collection.ts'
import type { CandidateFinder } from './candidates.ts'
import { type Confidence, createConfidence, type HitEvidence } from './confidence.ts'
import type { EvidenceReader } from './evidence.ts'
import type { Query } from './parse.ts'
import type { RankedHit, Ranking, RankOptions } from './ranking.ts'
import { byScore, nearEqual } from './ties.ts'

interface Candidate extends RankedHit, HitEvidence {
  document: DocumentView
}

/**
 * Ranks the documents of a collection: candidates from posting lists, then exact scores for the
 * best.
 */
export function createRanker(
  collection: Collection,
  finder: CandidateFinder,
  reader: EvidenceReader,
  norms: () => Float64Array,
) {
  return { rank, readSections }

  function rank(query: Query, options: RankOptions): Ranking {
    const { limit, threshold } = options
    if (query.terms.length === 0 || collection.size === 0) {
      return { query, limit, threshold, hits: [], matchCount: 0 }
    }
    let depth = MAX_HEAD_READS
    const first = rankTo(depth, query, options)
    let last = first
    // If all scored documents reach the threshold, more may, such as many near-copies.
    while (
      last.hits.length === last.scored.length &&
      last.scored.length >= depth &&
      depth < (threshold > 0 ? MAX_CANDIDATES : Math.min(limit, MAX_CANDIDATES))
    ) {
      depth = Math.min(depth * 4, MAX_CANDIDATES)
      last = rankTo(depth, query, options)
    }
    const hits =
      last === first
        ? first.hits
        : first.scored
            .concat(onlyInDeeper(first.hits, last.hits))
            .sort(byScore)
            .slice(0, MAX_CANDIDATES)
    return {
      query,
      limit,
      threshold,
      hits: hits.map(({ slot, score, confidence, headIdf, sections }) => {
        return { slot, score, confidence, headIdf, sections }
      }),
      matchCount: first.matchCount,
    }
  }

  /**
   * Returns hits that only the deeper ranking found, capped at the last hit of the first ranking,
   * so that depth does not reorder hits.
   */
  function onlyInDeeper(first: readonly Candidate[], deeper: readonly Candidate[]): Candidate[] {
    const known = new Set(first.map(({ slot }) => slot))
    const { score, confidence } = first.at(-1) as Candidate
    return deeper.flatMap((each) =>
      known.has(each.slot)
        ? []
        : {
            ...each,
            score: Math.min(each.score, score),
            confidence: Math.min(each.confidence, confidence),
          },
    )
  }

  /** Scores `depth` candidates and finds those that reach the threshold. */
  function rankTo(depth: number, query: Query, options: RankOptions) {
    reader.begin(query, norms())
    const contentStems = query.terms.filter(({ filler }) => !filler).length
    const rarity = query.idf / query.terms.length
    const confidenceOf = createConfidence({ contentStems, size: collection.size, rarity })
    const { scored, crowd, ...found } = score(query, depth, options, confidenceOf)
    setConfidences(scored, confidenceOf, crowd, options)
    const end = scored.findIndex(({ confidence }) => confidence < options.threshold)
    return { ...found, scored, hits: end === -1 ? scored : scored.slice(0, end) }
  }

  /**
   * Returns the scored candidates, best first. Reading readmes takes most of the time, so only
   * those of the best estimates that may reach the threshold are read. The others keep their
   * estimates and rank below.
   */
  function score(query: Query, depth: number, options: RankOptions, confidenceOf: Confidence) {
    const found = finder.find(query, depth, options.threshold <= 0)
    const estimated = found.best
      .map(({ document, estimate }) => {
        const evidence = reader.readHead(document)
        return candidate(document, evidence, estimate * query.bound, query)
      })
      .sort(byScore)
    const buffered = collection.buffered.flatMap((document) => read(viewOfDocument(document)))
    const all = buffered.length === 0 ? estimated : estimated.concat(buffered).sort(byScore)
    // 0 if fewer match
    const crowd = all[CROWD_RANK - 1]?.score ?? 0

    const deep = Math.max(MAX_README_READS, (depth - MAX_HEAD_READS) / 4)
    let first = Math.min(MIN_README_READS, deep)
    while (first < deep && estimated[first]?.score === estimated[first - 1]?.score) first++
    const exact = estimated.slice(0, first).flatMap(({ document }) => read(document))
    const top = highest(exact.concat(buffered))
    const canReach = (each: Candidate): boolean => {
      const maxScore = each.score * MAX_README_GAIN
      return confidenceOf(each, maxScore, Math.max(top, maxScore), crowd) >= options.threshold
    }
    const unread: Candidate[] = []
    estimated.slice(first).forEach((each, i) => {
      if (first + i < deep && canReach(each)) exact.push(...read(each.document))
      else unread.push(each)
    })
    // Buffered documents do not count: one with a low score must not lower the estimates.
    const minExact = exact.reduce((lowest, { score }) => Math.min(lowest, score), 1)
    for (const each of unread) each.score = Math.min(each.score, minExact)
    const scored = exact.concat(buffered, unread).sort(byScore)
    return { scored, crowd, matchCount: found.matchCount + buffered.length }

    /** Scores a document exactly. Returns nothing if it contains no query term. */
    function read(document: DocumentView): Candidate[] {
      const evidence = reader.read(document)
      if (evidence.words === 0) return []
      const added = candidate(document, evidence, evidence.words, query)
      added.sections = reader.sections()
      return [added]
    }
  }

  function candidate(
    document: DocumentView,
    evidence: ReturnType<EvidenceReader['read']>,
    words: number,
    query: Query,
  ): Candidate {
    const { adjacent, near, namePrecision, headIdf, nameIdf, readmeSupport, prose } = evidence
    const coverage = (prose * headIdf) / query.idf
    const score =
      (words + PAIR_WEIGHT * adjacent + WINDOW_WEIGHT * near) / query.bound +
      NAME_PRECISION_WEIGHT * namePrecision +
      COVERAGE_WEIGHT * coverage
    return {
      slot: document.slot,
      score,
      confidence: 0,
      document,
      pairs: adjacent / query.bound,
      headIdf,
      coverage,
      readmeSupport,
      nameMatch: namePrecision * (nameIdf / query.idf),
      sections: undefined,
    }
  }

  /** Sets confidences. They never rise along the ranking, and tied scores share one. */
  function setConfidences(
    ranked: readonly Candidate[],
    confidenceOf: Confidence,
    crowd: number,
    { threshold }: RankOptions,
  ): void {
    const top = ranked[0]?.score ?? 0
    let ceiling = 1
    // All hits after one below the threshold are below it.
    for (let i = 0; i < ranked.length && ceiling >= threshold; ) {
      const group = nearEqual(ranked, i)
      let confidence = 0
      for (let j = i; j < group; j++) {
        const each = ranked[j] as Candidate
        confidence = Math.max(confidence, confidenceOf(each, each.score, top, crowd))
      }
      ceiling = Math.min(ceiling, confidence)
      for (; i < group; i++) (ranked[i] as Candidate).confidence = ceiling
    }
  }

  /** Returns, for each query term, a bit per SECTION that contains it. */
  function readSections(document: DocumentView, query: Query): Uint16Array {
    reader.begin(query, norms())
    reader.read(document)
    return reader.sections()
  }
}

const highest = (candidates: readonly Candidate[]): number =>
  candidates.reduce((highest, { score }) => Math.max(highest, score), 0)
