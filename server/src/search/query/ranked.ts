import type { Query } from './parse.ts'
import type { Scored } from './ties.ts'

/** A skill that reaches the threshold by words alone. */
export interface RankedHit extends Scored {
  confidence: number
}

/** What an explanation is made of. */
export interface Background {
  /** For each term of the query a bit per SECTION in which it stands. */
  sections: Uint16Array
  /** IDF of the terms in the head. */
  headIdf: number
}

/**
 * The ranking of a task by words alone: it holds until the index changes, whatever becomes of votes,
 * trust and stars (answer.ts).
 */
export interface Ranking {
  readonly query: Query
  /** Hits that reach the threshold, best first, `MOST_RESCORED` at most. */
  readonly standing: readonly RankedHit[]
  /** Documents that hold any of the words; only where the threshold is 0. */
  readonly matching: number
  /** Whether the order of equals decided more than where they stand. */
  readonly hangsOnOrder: boolean
  /** What was asked of `backgroundOf` so far, by slot. */
  readonly backgrounds: Map<number, Background>
  /** The background of one of `standing`; only until the index changes. */
  backgroundOf(slot: number): Background
}

/** Backgrounds that are known, and how those are had that are not. */
export const withBackgrounds = (
  backgrounds: Map<number, Background>,
  read: (slot: number) => Background,
): Pick<Ranking, 'backgrounds' | 'backgroundOf'> => ({
  backgrounds,
  backgroundOf(slot) {
    const known = backgrounds.get(slot) ?? read(slot)
    backgrounds.set(slot, known)
    return known
  },
})

export const emptyRanking = (query: Query): Ranking => ({
  query,
  standing: [],
  matching: 0,
  hangsOnOrder: false,
  ...withBackgrounds(new Map(), (slot) => {
    throw new RangeError(`the skill ${slot} was not ranked`)
  }),
})
