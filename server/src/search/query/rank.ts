import {
  COVERAGE_WEIGHT,
  CROWD_RANK,
  MOST_GAIN,
  MOST_RESCORED,
  NAME_PRECISION_WEIGHT,
  PAIR_WEIGHT,
  READ_FIRST,
  READ_WHOLE,
  RESCORED,
  WINDOW_WEIGHT,
} from '../constants/constants.ts'
import { type Documents, type DocumentView, viewOfLive } from '../segment/collection.ts'
import type { CandidateFinder } from './candidates.ts'
import {
  type Confidence,
  createConfidence,
  type HitEvidence,
  type TaskFeatures,
} from './confidence.ts'
import type { DocumentEvidence, EvidenceReader } from './evidence.ts'
import type { Explanation } from './explanation.ts'
import type { Query } from './parse.ts'
import {
  type Background,
  emptyRanking,
  type RankedHit,
  type Ranking,
  withBackgrounds,
} from './ranked.ts'
import { byScore, nearEqual } from './ties.ts'

export interface ResolveHit {
  slot: number
  /** Ranking score: comparable within one answer only. */
  score: number
  /** Probability from 0 to 1 that the skill serves the task: comparable everywhere. */
  confidence: number
  explanation: Explanation
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
  /** Whether a skill may be answered at all; others are left out before the limit and not counted. */
  isEligible?: (slot: number) => boolean
  /** The skills that one is a near-copy of: it stands behind them. */
  originalsOf?: (slot: number) => readonly number[]
  /** Whether a skill was there before another; without it none was. */
  isOlder?: (slot: number, than: number) => boolean
  /** Order of skills of the same score; by slot when left out. */
  order?: (a: number, b: number) => number
  /**
   * Called with what each confidence rests on, best first, and with the parts of each exact score, for
   * fitting both (test/bench/ranking): as many are exact as if all could reach the threshold. Where all of
   * the first do, it is called again for more candidates.
   */
  onEvidence?: (slot: number, evidence: HitEvidence, parts: ScoreParts | undefined) => void
  /** A task whose signal has aborted is not ranked any more. */
  signal?: AbortSignal | undefined
  /** Called with the source of the ranking by words. */
  onRanked?: (by: RankedBy) => void
}

/** Source of a ranking: the query cache, the thread that answers or another one. */
export type RankedBy = 'memory' | 'main' | 'thread'

/** A document that was scored. */
interface Candidate extends RankedHit {
  document: DocumentView
  /** Evidence of words side by side, as a share of what the task's words could give. */
  pairs: number
  /** IDF of the terms in the head, and as much of its share of the task as counts. */
  headIdf: number
  coverage: number
  /** Share of the head's words that the readme has too. */
  backing: number
  /** Share of the name that the task says, times the share of the task in the name. */
  named: number
  /** For each term a bit per SECTION in which it stands, where its readme was read. */
  sections: Uint16Array | undefined
  /** Parts of the score, for `onEvidence` alone. */
  parts: ScoreParts | undefined
}

/** Candidates best first, and those of them that reach the threshold. */
interface RankedTo {
  scored: readonly Candidate[]
  standing: readonly Candidate[]
}

/** Ranks the documents of a collection: candidates by stems, then the best of them exactly. */
export function createRanker(
  collection: Documents,
  finder: CandidateFinder,
  reader: EvidenceReader,
  norms: () => Float64Array,
): (query: Query, options: ResolveOptions) => Ranking {
  return (query, options) => {
    if (query.terms.length === 0 || collection.size === 0) return emptyRanking(query)
    const { limit, threshold } = options
    let depth = RESCORED
    const first = rankTo(depth, query, options)
    let last = first
    // Where every one of them passes the threshold, others behind them may: copies by the dozen.
    while (
      last.standing.length === last.scored.length &&
      last.scored.length >= depth &&
      depth < (threshold > 0 ? MOST_RESCORED : Math.min(limit, MOST_RESCORED))
    ) {
      depth = Math.min(depth * 4, MOST_RESCORED)
      last = rankTo(depth, query, options)
    }
    const scored =
      last === first
        ? first.scored
        : first.scored.concat(behind(first, last)).sort(byScore(options.order))
    return {
      query,
      standing: last === first ? first.standing : scored.slice(0, MOST_RESCORED),
      matching: first.matching,
      hangsOnOrder: first.hangsOnOrder || last.hangsOnOrder,
      ...withBackgrounds(new Map(), (slot) => {
        const hit = scored.find((each) => each.slot === slot)
        if (hit === undefined) throw new RangeError(`the skill ${slot} was not ranked`)
        return readBackground(hit, query)
      }),
    }
  }

  /** Hits that only the deeper ranking has, no better than the last of the first: depth moves no hit. */
  function behind(first: RankedTo, last: RankedTo): Candidate[] {
    const known = new Set(first.standing.map(({ slot }) => slot))
    const { score, confidence } = first.standing.at(-1) as Candidate
    return last.standing.flatMap((each) =>
      known.has(each.slot)
        ? []
        : {
            ...each,
            score: Math.min(each.score, score),
            confidence: Math.min(each.confidence, confidence),
          },
    )
  }

  /** Scores so many candidates, best first; how many reach the threshold, and how many match at all. */
  function rankTo(depth: number, query: Query, options: ResolveOptions) {
    reader.begin(query, norms())
    try {
      const contentStems = query.terms.filter(({ filler }) => !filler).length
      const rarity = query.idf / query.terms.length
      const asked = { contentStems, size: collection.size, rarity }
      const confidenceOf = createConfidence(asked)
      const { scored, crowd, ...found } = score(query, depth, options, confidenceOf)
      grade(scored, asked, confidenceOf, crowd, options)
      const end = scored.findIndex(({ confidence }) => confidence < options.threshold)
      return { ...found, scored, standing: end === -1 ? scored : scored.slice(0, end) }
    } finally {
      reader.end()
    }
  }

  /**
   * The candidates with their scores, best first, and how many documents match at all. Readmes are the
   * bulk of the reading: only those of the documents are read that promise most by what their stems,
   * name, tags and description say, and may reach the threshold. All others keep the estimate
   * and their place behind.
   */
  function score(query: Query, depth: number, options: ResolveOptions, confidenceOf: Confidence) {
    const found = finder.find(query, depth, options.threshold <= 0)
    const before = byScore(options.order)
    const estimated = found.best
      .map(({ document, estimate }) => {
        const evidence = reader.readHead(document)
        return candidate(document, evidence, estimate * query.bound, query)
      })
      .sort(before)
    const live = collection.live.flatMap((document) => read(viewOfLive(document)))
    const all = live.length === 0 ? estimated : estimated.concat(live).sort(before)
    // fewer matches leave no crowd to stand out from; near-copies alone do not reach that rank
    const crowd = all[CROWD_RANK - 1]?.score ?? 0

    const deep = Math.max(READ_WHOLE, (depth - RESCORED) / 4)
    let first = Math.min(READ_FIRST, deep)
    while (first < deep && estimated[first]?.score === estimated[first - 1]?.score) first++
    const exact = estimated.slice(0, first).flatMap(({ document }) => read(document))
    const top = highest(exact.concat(live))
    const mayReach = (each: Candidate): boolean => {
      if (options.onEvidence) return true
      const most = each.score * MOST_GAIN
      const evidence = evidenceOf(each, most, Math.max(top, most), crowd)
      return confidenceOf(evidence) >= options.threshold
    }
    const rest: Candidate[] = []
    estimated.slice(first).forEach((each, i) => {
      if (first + i < deep && mayReach(each)) exact.push(...read(each.document))
      else rest.push(each)
    })
    // not of the live ones: one that hardly fits must not pull the others down
    const least = exact.reduce((lowest, { score }) => Math.min(lowest, score), 1)
    const next = estimated[deep]
    const hangsOnOrder =
      next !== undefined &&
      next.score === estimated[deep - 1]?.score &&
      (first === deep || mayReach(next))
    for (const each of rest) each.score = Math.min(each.score, least)
    const scored = exact.concat(live, rest).sort(before)
    return { scored, crowd, matching: found.matching + live.length, hangsOnOrder }

    /** Nothing where it has no word of the task. */
    function read(document: DocumentView): Candidate[] {
      const evidence = reader.read(document)
      if (evidence.words === 0) return []
      const added = candidate(document, evidence, evidence.words, query)
      added.sections = reader.sections().slice(0, query.terms.length)
      if (options.onEvidence) added.parts = { ...evidence, bound: query.bound, idf: query.idf }
      return [added]
    }
  }

  function candidate(
    document: DocumentView,
    { beside, near, namePrecision, headIdf, nameIdf, backing, prose }: DocumentEvidence,
    words: number,
    query: Query,
  ): Candidate {
    const coverage = (prose * headIdf) / query.idf
    const score =
      (words + PAIR_WEIGHT * beside + WINDOW_WEIGHT * near) / query.bound +
      NAME_PRECISION_WEIGHT * namePrecision +
      COVERAGE_WEIGHT * coverage
    return {
      slot: document.slot,
      score,
      confidence: 0,
      document,
      pairs: beside / query.bound,
      headIdf,
      coverage,
      backing,
      named: namePrecision * (nameIdf / query.idf),
      sections: undefined,
      parts: undefined,
    }
  }

  /** Fills in confidences: never rising along the ranking, the same among near-equal scores. */
  function grade(
    ranked: readonly Candidate[],
    asked: TaskFeatures,
    confidenceOf: Confidence,
    crowd: number,
    { threshold, onEvidence }: ResolveOptions,
  ): void {
    const top = ranked[0]?.score ?? 0
    let ceiling = 1
    // what is behind one below the threshold is below it, too
    for (let i = 0; i < ranked.length && (ceiling >= threshold || onEvidence); ) {
      const group = nearEqual(ranked, i)
      let confidence = 0
      for (let j = i; j < group; j++) {
        const each = ranked[j] as Candidate
        const evidence = evidenceOf(each, each.score, top, crowd)
        onEvidence?.(each.slot, { ...asked, ...evidence }, each.parts)
        confidence = Math.max(confidence, confidenceOf(evidence))
      }
      ceiling = Math.min(ceiling, confidence)
      for (; i < group; i++) (ranked[i] as Candidate).confidence = ceiling
    }
  }

  function readBackground({ document, headIdf, sections }: Candidate, query: Query): Background {
    return { sections: sections ?? readSections(document, query), headIdf }
  }

  /** The sections of a document whose readme was not read for its score. */
  function readSections(document: DocumentView, query: Query): Uint16Array {
    reader.begin(query, norms())
    try {
      reader.read(document)
      return reader.sections().slice(0, query.terms.length)
    } finally {
      reader.end()
    }
  }
}

const highest = (candidates: readonly Candidate[]): number =>
  candidates.reduce((highest, { score }) => Math.max(highest, score), 0)

/** What the confidence of a candidate rests on if it had this score, and the first and the crowd theirs. */
const evidenceOf = (
  { pairs, coverage, named, backing }: Candidate,
  score: number,
  top: number,
  crowd: number,
) => ({
  score,
  pairs,
  coverage,
  named,
  relative: score / top,
  crowd: crowd / top,
  backing,
})
