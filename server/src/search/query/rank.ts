import type { DocumentView } from '../document/forward-index.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import type { Documents } from '../segment/collection.ts'
import { createCandidateFinder } from './candidates.ts'
import { type Confidence, createConfidence, type HitEvidence } from './confidence.ts'
import { createEvidenceReader, type Evidence } from './evidence.ts'
import type { Query } from './parse.ts'
import {
  byScore,
  cappedAt,
  MAX_CANDIDATES,
  nearEqual,
  type RankedHit,
  type Ranking,
  type ResolveOptions,
} from './ranking.ts'

/** Weight of adjacent pairs. Without pairs nDCG@10 drops by .030. */
const PAIR_WEIGHT = 0.15

/** Weight of pairs within `WINDOW`. */
const WINDOW_WEIGHT = 0.4

/** Weight of name precision, the share of the name's words that occur in the task. 0 loses .014. */
const NAME_PRECISION_WEIGHT = 0.1

/** Weight of coverage, the share of the task's IDF in name, slug, tags and description. */
const COVERAGE_WEIGHT = 0.15

/**
 * Candidates of the posting lists whose head (name, slug, tags, description) is read. 64 loses
 * .003, 128 gains .001.
 */
const MAX_HEAD_READS = 80

/** Candidates whose readme is read. 16 loses .002, 32 gains .002. */
const MAX_README_READS = 20

/**
 * Readmes that are read at any threshold. Other readmes are read only if `MAX_README_GAIN` times
 * the estimated score could reach the threshold.
 */
const MIN_README_READS = 3
const MAX_README_GAIN = 2

/**
 * Rank whose score is compared with the best one in the confidence feature `crowd`. Near-copies of
 * one skill rarely reach this rank.
 */
const CROWD_RANK = 70

type Candidate = RankedHit & HitEvidence

/**
 * Ranks the documents of a collection: candidates from posting lists, then exact scores for the
 * best.
 */
export function createRanker(
  collection: Documents,
  vocabulary: Vocabulary,
  norms: () => Float64Array,
) {
  const findCandidates = createCandidateFinder(collection)
  const reader = createEvidenceReader(vocabulary)
  return { rank, readSections }

  function rank(query: Query, options: ResolveOptions): Ranking {
    const { limit, threshold } = options
    if (query.terms.length === 0 || collection.size === 0) {
      return { query, hits: [], matchCount: 0 }
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
    return { query, hits, matchCount: first.matchCount }
  }

  /**
   * Returns hits that only the deeper ranking found, capped at the last hit of the first ranking,
   * so that depth does not reorder hits.
   */
  function onlyInDeeper(first: readonly Candidate[], deeper: readonly Candidate[]): Candidate[] {
    const known = new Set(first.map(({ slot }) => slot))
    const last = first.at(-1) as Candidate
    return deeper.filter(({ slot }) => !known.has(slot)).map((each) => cappedAt(each, last))
  }

  /** Scores `depth` candidates and finds those that reach the threshold. */
  function rankTo(depth: number, query: Query, options: ResolveOptions) {
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
  function score(query: Query, depth: number, options: ResolveOptions, confidenceOf: Confidence) {
    const found = findCandidates(query, depth, options.threshold <= 0)
    const estimated = found.best
      .map(({ document, estimate }) => {
        const evidence = reader.readHead(document)
        return candidate(document, evidence, estimate * query.bound, query)
      })
      .sort(byScore)
    const buffered = collection.buffered.flatMap(read)
    const all = buffered.length === 0 ? estimated : estimated.concat(buffered).sort(byScore)
    // 0 if fewer match
    const crowd = all[CROWD_RANK - 1]?.score ?? 0

    const deep = Math.max(MAX_README_READS, (depth - MAX_HEAD_READS) / 4)
    let first = Math.min(MIN_README_READS, deep)
    while (first < deep && estimated[first]?.score === estimated[first - 1]?.score) first++
    const exact = estimated.slice(0, first).flatMap(({ document }) => read(document))
    const top = exact.concat(buffered).reduce((best, { score }) => Math.max(best, score), 0)
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
    evidence: Evidence,
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
    { threshold }: ResolveOptions,
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

  /** Returns, for each query term, a bit per SECTION of a hit that contains it. */
  function readSections({ document }: RankedHit, query: Query): Uint16Array {
    reader.begin(query, norms())
    reader.read(document)
    return reader.sections()
  }
}
