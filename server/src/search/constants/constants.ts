/**
 * Every number the ranking rests on. "study" is the ablation study behind the recipe, "dev" the
 * development tasks measured by test/bench/resolve/resolve.ts. See server/docs/search.md.
 */

/** Fields whose length is normalised; the slug is counted with the name. */
export const LENGTH = { name: 0, tags: 1, description: 2, heading: 3, text: 4, code: 5 } as const

/** How many fields that are. */
export const LENGTHS = 6

/** Bytes that a document has of these: the codes of its lengths, then how far it is prose (prose.ts). */
export const MEASURES = 7

/** The place of the latter. */
export const PROSE = 6

/** Field weights in the order of LENGTH (study: tuned on dev). */
export const FIELD_WEIGHT = [5, 1.5, 8, 0.5, 1, 1] as const

/** Strength of length normalisation per field, in the order of LENGTH (study; flat around here). */
export const FIELD_B = [0.5, 0.4, 0.2, 0.7, 0.75, 0.9] as const

/** Term-frequency saturation of BM25 (study; flat between 1.2 and 2). */
export const K1 = 1.5

/** Exponent that flattens IDF a little, so rare context words dominate less (study). */
export const IDF_POWER = 0.9

/**
 * Skills without any of the words, counted besides the real ones: in a catalogue of one to twenty a
 * word of its only fitting skill would else weigh less than a word nobody knows (fit on dev).
 */
export const IDF_PRIOR_SKILLS = 5

/** Share of the exact word's evidence; the stem has the rest (study: .4, either alone loses .006). */
export const EXACT_SHARE = 0.4

/**
 * Weight of words of the task outside the clauses that ask for something: the most neutral within a
 * standard error of the best over random halves of dev (1 loses .010 nDCG).
 */
export const OUTSIDE_REQUEST_WEIGHT = 0.75

/** Weight of words that the task quotes, chosen with it (0.4 loses .002, 1 the same). */
export const QUOTED_WEIGHT = 0.7

/** Weight of pairs of words side by side (fitted on dev; study: without pairs -.030 nDCG). */
export const PAIR_WEIGHT = 0.15

/** Weight of the same pairs at most `WINDOW` content words apart (fitted on dev). */
export const WINDOW_WEIGHT = 0.4

/** Content words apart, at most, for two words to count as near each other (study). */
export const WINDOW = 4

/** Weight of name precision: the share of the name's words that the task says (study: -.014 without). */
export const NAME_PRECISION_WEIGHT = 0.1

/** Weight of the share of the task's IDF in name, slug, tags or description (dev folds: +.001). */
export const COVERAGE_WEIGHT = 0.15

/**
 * Words of a readme's text that keep their place, for pairs; later ones are only counted (dev: against
 * 1,024, 560 lose .0017 nDCG and .011 of the mean by repository, all lose .0024 and cost 5 % more).
 */
export const TEXT_POSITIONS = 1024

/** Weight of a pair's occurrence in name, description, a heading, the text (study). */
export const PAIR_FIELD_WEIGHT = { name: 5, description: 8, heading: 0.5, text: 1 } as const

/**
 * Slots of the hashed pair counts, 2^18 (512 kB): over eight hash functions 2^20 gives nothing, neither at
 * 12,000 skills nor at 80,000 (dev).
 */
export const PAIR_TABLE_BITS = 18

/** How many of the best by stems have their heads read (dev: 64 lose .003, 128 gain .001). */
export const RESCORED = 80

/** How many of the rescored have their readmes read, too (dev: 16 lose .002, 32 gain .002). */
export const READ_WHOLE = 20

/**
 * Readmes that are read whatever the threshold; of the others those whose skills would reach it with
 * the factor `MOST_GAIN` on their estimates (dev at .3: 2 of 1,798 hits are missed, one first; 1.8
 * misses 8, two firsts among them).
 */
export const READ_FIRST = 3
export const MOST_GAIN = 2

/** Confidence sets the first against the score at this rank: few skills have so many near-copies. */
export const CROWD_RANK = 70

/** Scores closer than this (relative) count as equal, so that trust may order them (brief). */
export const NEAR_EQUAL = 0.005

/** Longest word kept, in bytes; longer ones are hashes and encoded data. */
export const LONGEST_WORD = 64

/**
 * Distinct words of a skill from which the rest of its readme is not indexed, stop words aside: each
 * new one costs memory for good. The richest of the 11,970 real skills has 1,709.
 */
export const MOST_DISTINCT_WORDS = 4096

/**
 * As long as the vocabulary has no more words, unknown ones of fewer letters are left as they are: most of
 * them are real (of frequent words of the corpus that 300 of its skills lack, half of those of five letters
 * are one letter from another word, one in seven of those of seven).
 */
export const TYPO_FEW_WORDS = 30_000
export const TYPO_SHORT = 7

/** A correction must stand in more documents than this, or in some name, slug or description (study). */
export const TYPO_MIN_DOCUMENTS = 3

/** A word of name, slug or description is this much likelier meant than one of the body (study). */
export const TYPO_META_BONUS = 20

/** Typists rarely miss the first letter (study). */
export const TYPO_FIRST_LETTER_BONUS = 3

/** Unknown words corrected per task at most: each costs some 500 look-ups. */
export const TYPO_MAX_WORDS = 32

/** Candidates of all of them that are counted in heads: each reads a list in every segment. */
export const TYPO_MAX_COUNTS = 300

/** Search: a word in the name counts this much more than one in the description (spec 4). */
export const SEARCH_NAME_WEIGHT = 3

/** Search: another form of the word ("forms" for "form") counts this share of the word itself. */
export const SEARCH_STEM_SHARE = 0.8

/**
 * Highest confidence of a skill whose readme has none of the task's words that its head has, and the
 * share of them from which on there is no such bound.
 */
export const UNBACKED_CONFIDENCE = 0.6
export const BACKED = 0.5

/** Catalogue sizes for which confidence has weights of its own. */
export const CONFIDENCE_SIZES = [5, 60, 300, 1200, 12_000] as const

/** Weights of the features of confidence (confidence.ts) at each of these sizes, fitted on dev. */
export const CONFIDENCE = {
  constant: [1.224, 0.583, 0.205, -0.004, 0.038],
  score: [3.06, 3.593, 2.168, 2.243, 1.923],
  contentStems: [1.728, 2.019, 2.229, 2.113, 1.655],
  coverage: [2.725, 2.288, 1.683, 1.608, 1.32],
  pairs: [0.7, 0.514, 0.607, 0.604, 0.427],
  crowd: [-0.93, -0.93, -1.066, -1.305, -1.348],
  rarity: [1.339, 1.777, 1.673, 1.737, 1.724],
} as const

/** Weights of two features that are the same at all sizes. */
export const NAMED_CONFIDENCE = 3.055
export const RELATIVE_CONFIDENCE = 5.54

/**
 * Postings that resolve reads at most: so many, and a share of the number of skills (dev: of 39,000 in 12,000
 * skills, 16,000 lose nothing, 8,000 a hundredth of the recall).
 */
export const POSTINGS_BUDGET = 12_000
export const POSTINGS_BUDGET_SHARE = 0.35

/** Postings read to count all matches, at threshold 0: more would hold the event loop. */
export const EXHAUSTIVE_BUDGET = 4_000_000

/** A task's heaviest stems that count; all stand in `tokenWeights`. */
export const MOST_TERMS = 256

/** `matched` counts no further than this: scoring more would hold the event loop. */
export const MOST_RESCORED = 1024

/** Tasks whose rankings by words are remembered until the index changes, and the hits of all of them. */
export const REMEMBERED_TASKS = 2000
export const REMEMBERED_HITS = 100_000
