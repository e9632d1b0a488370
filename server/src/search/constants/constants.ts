/**
 * Constants of the ranking, chosen on the development tasks (`queries.dev.jsonl`). Losses are
 * nDCG@10 on these tasks. See server/docs/search.md.
 */

/** Fields with length normalization. The slug counts with the name. */
export const LENGTH = { name: 0, tags: 1, description: 2, heading: 3, text: 4, code: 5 } as const

export const LENGTH_FIELDS = 6

/** Bytes per document: a length code for each field, then the prose share (prose.ts). */
export const STATS_BYTES = 7

export const PROSE = 6

/** Field weights, in the order of LENGTH. */
export const FIELD_WEIGHT = [5, 1.5, 8, 0.5, 1, 1] as const

/** Strength of length normalization (BM25 b) per field, in the order of LENGTH. */
export const FIELD_B = [0.5, 0.4, 0.2, 0.7, 0.75, 0.9] as const

/** Term frequency saturation (BM25 k1). Values from 1.2 to 2 rank about the same. */
export const K1 = 1.5

/** Exponent that flattens IDF, so that rare context words dominate less. */
export const IDF_POWER = 0.9

/**
 * Skills without the word that are added to the catalogue size in IDF. Otherwise a word of the only
 * suitable skill in a catalogue of one to twenty would weigh less than an unknown word.
 */
export const IDF_PRIOR_SKILLS = 5

/**
 * Share of the exact word in the word evidence. The rest is for its stem. Using either alone loses
 * .006.
 */
export const EXACT_SHARE = 0.4

/** Weight of words outside the clauses that make a request. 1 loses .010. */
export const OUTSIDE_REQUEST_WEIGHT = 0.75

export const QUOTED_WEIGHT = 0.7

/** Weight of adjacent pairs. Without pairs nDCG@10 drops by .030. */
export const PAIR_WEIGHT = 0.15

/** Weight of pairs within `WINDOW`. */
export const WINDOW_WEIGHT = 0.4

/** Maximum distance of a pair, in content words. */
export const WINDOW = 4

/** Weight of name precision, the share of the name's words that occur in the task. 0 loses .014. */
export const NAME_PRECISION_WEIGHT = 0.1

/** Weight of coverage, the share of the task's IDF in name, slug, tags and description. */
export const COVERAGE_WEIGHT = 0.15

/** Words of the readme's text with a position, for pairs. Later words have only a frequency. */
export const TEXT_POSITIONS = 1024

export const PAIR_FIELD_WEIGHT = { name: 5, description: 8, heading: 0.5, text: 1 } as const

/** Bits of the pair table: 2^18 counters, 512 kB. 2^20 counters rank no better at 80,000 skills. */
export const PAIR_TABLE_BITS = 18

/**
 * Candidates of the posting lists whose head (name, slug, tags, description) is read. 64 loses
 * .003, 128 gains .001.
 */
export const MAX_HEAD_READS = 80

/** Candidates whose readme is read. 16 loses .002, 32 gains .002. */
export const MAX_README_READS = 20

/**
 * Readmes that are read at any threshold. Other readmes are read only if `MAX_README_GAIN` times
 * the estimated score could reach the threshold.
 */
export const MIN_README_READS = 3
export const MAX_README_GAIN = 2

/**
 * Rank whose score is compared with the best one in the confidence feature `crowd`. Near-copies of
 * one skill rarely reach this rank.
 */
export const CROWD_RANK = 70

/** Relative score difference below which two hits tie and trust orders them. */
export const TIE_MARGIN = 0.005

/**
 * Maximum length of an indexed word, in UTF-16 code units. Longer ones are hashes or encoded data.
 */
export const MAX_WORD_LENGTH = 64

/**
 * Distinct words per skill, without stop words. The rest of its readme is not indexed, because the
 * vocabulary never shrinks.
 */
export const MAX_DISTINCT_WORDS = 4096

/**
 * Below this vocabulary size, unknown words shorter than `TYPO_SHORT` are not corrected: most of
 * them are real words that the small vocabulary lacks.
 */
export const TYPO_FEW_WORDS = 30_000
export const TYPO_SHORT = 7

/** A correction must occur in more documents than this, or in a name, slug or description. */
export const TYPO_MIN_DOCUMENTS = 3

/**
 * A compound is read as two words if the pair has at least this share of its document frequency,
 * and if at most this share of the skills have the compound.
 */
export const COMPOUND_MIN_SHARE = 0.1
export const COMPOUND_MAX_SHARE = 0.02

/** Weight of an occurrence in name, slug or description relative to a document frequency of 1. */
export const TYPO_META_BONUS = 20

/** Factor for a correction with the same first letter. */
export const TYPO_FIRST_LETTER_BONUS = 3

/** Maximum number of corrected words per task. Each takes about 500 lookups. */
export const TYPO_MAX_WORDS = 32

/**
 * Maximum number of corrections per task whose head frequency is counted. Each count reads a list
 * in every segment.
 */
export const TYPO_MAX_COUNTS = 300

/**
 * Weight of a match in name or slug, relative to the description (spec/decisions.md#search-order).
 */
export const SEARCH_NAME_WEIGHT = 3

/** Longer words that the last word of an unfinished search may become. */
export const MAX_COMPLETIONS = 256

/** Weight of another form of the word ("forms" for "form") in search. */
export const SEARCH_STEM_SHARE = 0.8

/**
 * Maximum confidence of a skill whose readme contains none of the matched head terms, and the share
 * of these terms from which the maximum is 1.
 */
export const UNSUPPORTED_CONFIDENCE = 0.6
export const FULL_SUPPORT = 0.5

/** Catalogue sizes with fitted confidence weights. */
export const CONFIDENCE_SIZES = [5, 60, 300, 1200, 12_000] as const

/** Weights of the confidence features (confidence.ts) at each of these sizes. */
export const CONFIDENCE = {
  constant: [1.224, 0.583, 0.205, -0.004, 0.038],
  score: [3.06, 3.593, 2.168, 2.243, 1.923],
  contentStems: [1.728, 2.019, 2.229, 2.113, 1.655],
  coverage: [2.725, 2.288, 1.683, 1.608, 1.32],
  pairs: [0.7, 0.514, 0.607, 0.604, 0.427],
  crowd: [-0.93, -0.93, -1.066, -1.305, -1.348],
  rarity: [1.339, 1.777, 1.673, 1.737, 1.724],
} as const

/** Weights of the two features that do not depend on the size. */
export const NAME_MATCH_CONFIDENCE = 3.055
export const RELATIVE_CONFIDENCE = 5.54

/** Postings that resolve reads at most: a constant plus a share of the number of skills. */
export const POSTINGS_BUDGET = 12_000
export const POSTINGS_BUDGET_SHARE = 0.35

/** Postings read to count all matches at threshold 0, which limits the time on the event loop. */
export const EXHAUSTIVE_BUDGET = 4_000_000

/** Maximum number of query terms that are scored. `tokenWeights` lists all of them. */
export const MAX_QUERY_TERMS = 256

/** Maximum number of scored candidates, and so of `matched`. */
export const MAX_CANDIDATES = 1024
