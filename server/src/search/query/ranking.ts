import type { Query } from './parse.ts'

export interface RankOptions {
  /** Hits that the caller wants. */
  limit: number
  /** Least confidence of a hit. */
  threshold: number
}

/** A skill by its slot, with its score. */
export interface Scored {
  slot: number
  score: number
}

/** A skill that reaches the threshold by words alone. */
export interface RankedHit extends Scored {
  confidence: number
  /** IDF of the task's stems in name, slug, tags and description. */
  headIdf: number
  /** For each term of the query a bit per SECTION that has it; undefined until its readme is read. */
  sections: Uint16Array | undefined
}

/** The ranking of a task by words alone. It holds until the index changes, whatever becomes of votes. */
export interface Ranking extends RankOptions {
  readonly query: Query
  /** Hits that reach the threshold, best first, `MOST_RESCORED` at most. */
  readonly standing: readonly RankedHit[]
  /** Documents that hold any of the words; only if the threshold is 0. */
  readonly matching: number
}

/** What the registry knows of a ranked skill besides its words. */
export interface SkillView {
  /** Orders skills of the same score and trust. */
  readonly id: string
  readonly createdAt: number
  /** Trust from 0 to 1: orders skills that fit equally well, and nothing else. */
  readonly trust: number
  /** The share of score and confidence that votes leave: 1, or less if they are clearly against it. */
  readonly demotion: number
  /** Skills that may not be answered are left out before the limit and are not counted. */
  readonly isEligible: boolean
  /** The skills that this one is a near-copy of: it comes after them. */
  readonly originals: readonly Original[]
}

export interface Original {
  readonly slot: number
  readonly createdAt: number
}

/** A ranked skill with what the registry knows of it. */
export type ViewedHit = RankedHit & { readonly view: SkillView }
