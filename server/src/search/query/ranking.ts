import type { Query } from './parse.ts'

export interface RankOptions {
  limit: number
  threshold: number
}

export interface Scored {
  slot: number
  score: number
}

/** A skill that reaches the threshold before votes and copies are considered. */
export interface RankedHit extends Scored {
  confidence: number
  /** IDF of the query terms in name, slug, tags and description. */
  headIdf: number
  /**
   * For each query term, a bit per SECTION that contains it. Undefined until the readme is read.
   */
  sections: Uint16Array | undefined
}

/** A ranking by text alone. It stays valid until the index changes, independent of votes. */
export interface Ranking extends RankOptions {
  readonly query: Query
  /** Hits that reach the threshold, best first, at most `MAX_CANDIDATES`. */
  readonly hits: readonly RankedHit[]
  /** Documents that contain any query term. Counted only if the threshold is 0. */
  readonly matchCount: number
}

/** The registry's data on a ranked skill. */
export interface SkillView {
  /** Orders skills of the same score and trust. */
  readonly id: string
  readonly createdAt: number
  /** Trust from the votes, -1 to 1. Orders skills with tied scores. */
  readonly trust: number
  /**
   * Factor from 0 to 1 for score and confidence. Below 1 if votes are clearly against the skill.
   */
  readonly demotion: number
  /** Whether the skill may be returned. Others are dropped before the limit and are not counted. */
  readonly isEligible: boolean
  /** Skills that this one is a near-copy of. It ranks behind them. */
  readonly originals: readonly { readonly slot: number; readonly createdAt: number }[]
}

export type ViewedHit = RankedHit & { readonly view: SkillView }
