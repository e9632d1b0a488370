import { LENGTH } from './constants.ts'

/**
 * How often a word stands in each field of one document, in 12 bits. Most postings are of the
 * readme alone (bit 11 clear: text 4 bits, code 4, heading 3). With name, slug, tags or description
 * those weigh so much that the readme's share is kept coarsely (bit 11 set).
 */
export const PAYLOAD_BITS = 12
export const PAYLOAD_MASK = (1 << PAYLOAD_BITS) - 1
export const META = 1 << 11

/** Where a word was counted while its document was read, in the order of `Counts`. */
export const FIELD = {
  name: 0,
  slug: 1,
  tags: 2,
  description: 3,
  /** What the description says the skill is not for: found by search, no evidence for resolve. */
  aside: 4,
  heading: 5,
  text: 6,
  code: 7,
} as const

export const FIELDS = 8

/** Whether search, which reads names and descriptions, sees the word at all. */
export const IN_NAME = META | (1 << 10)
export const IN_SLUG = META | (1 << 9)
export const IN_TAGS = META | (1 << 8)
export const IN_DESCRIPTION = META | (3 << 6)
export const IN_ASIDE = META | (1 << 5)

const LEVELS = [0, 1, 2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 45, 64]
const COARSE = [0, 1, 3, 8]

/** Term frequency by 4-bit code (its first eight serve the 3-bit heading code). */
export const TF = Float64Array.from(LEVELS)
const COARSE_TF = Float64Array.from(COARSE)

const CODE = codesFor(LEVELS)
const COARSE_CODE = codesFor(COARSE)

/** For a count up to 64, the code of the nearest level that is not above it. */
function codesFor(levels: readonly number[]): Uint8Array {
  const codes = new Uint8Array(65)
  for (let count = 0; count < codes.length; count++) {
    let code = 0
    while (code + 1 < levels.length && (levels[code + 1] as number) <= count) code++
    codes[count] = code
  }
  return codes
}

/** Packs the eight counts that begin at `at`. */
export function packCounts(counts: Uint16Array, at: number): number {
  const name = (counts[at] as number) > 0 ? 1 : 0
  const slug = (counts[at + 1] as number) > 0 ? 1 : 0
  const tags = (counts[at + 2] as number) > 0 ? 1 : 0
  const description = Math.min(counts[at + 3] as number, 3)
  const aside = (counts[at + 4] as number) > 0 ? 1 : 0
  const heading = Math.min(counts[at + 5] as number, 64)
  const text = Math.min(counts[at + 6] as number, 64)
  const code = Math.min(counts[at + 7] as number, 64)
  if ((name | slug | tags | description | aside) === 0) {
    const heading3 = Math.min(CODE[heading] as number, 7)
    return (CODE[text] as number) | ((CODE[code] as number) << 4) | (heading3 << 8)
  }
  const meta = (name << 10) | (slug << 9) | (tags << 8) | (description << 6) | (aside << 5)
  const body = (COARSE_CODE[text] as number) | ((COARSE_CODE[code] as number) << 2)
  return META | meta | body | (heading > 0 ? 16 : 0)
}

/**
 * The length-normalised, field-weighted term frequency x of BM25F. `norms` holds 256 values per
 * field (weight over normalised length, by length code), `lengths` the codes of a document from `at`.
 */
export function weightedFrequency(
  payload: number,
  norms: Float64Array,
  lengths: Uint8Array,
  at: number,
): number {
  if (payload < META) {
    let x =
      (TF[payload & 15] as number) *
      (norms[(LENGTH.text << 8) | (lengths[at + LENGTH.text] as number)] as number)
    if (payload > 15) {
      x +=
        (TF[(payload >> 4) & 15] as number) *
          (norms[(LENGTH.code << 8) | (lengths[at + LENGTH.code] as number)] as number) +
        (TF[payload >> 8] as number) *
          (norms[(LENGTH.heading << 8) | (lengths[at + LENGTH.heading] as number)] as number)
    }
    return x
  }
  return metaFrequency(payload, norms, lengths, at)
}

function metaFrequency(
  payload: number,
  norms: Float64Array,
  lengths: Uint8Array,
  at: number,
): number {
  let x = 0
  const names = ((payload >> 10) & 1) + ((payload >> 9) & 1)
  if (names > 0) {
    x += names * (norms[(LENGTH.name << 8) | (lengths[at + LENGTH.name] as number)] as number)
  }
  const described = (payload >> 6) & 3
  if (described > 0) {
    const norm = norms[(LENGTH.description << 8) | (lengths[at + LENGTH.description] as number)]
    x += described * (norm as number)
  }
  if (payload & 256)
    x += norms[(LENGTH.tags << 8) | (lengths[at + LENGTH.tags] as number)] as number
  if (payload & 16) {
    x += norms[(LENGTH.heading << 8) | (lengths[at + LENGTH.heading] as number)] as number
  }
  const text = norms[(LENGTH.text << 8) | (lengths[at + LENGTH.text] as number)] as number
  const code = norms[(LENGTH.code << 8) | (lengths[at + LENGTH.code] as number)] as number
  return (
    x + (COARSE_TF[payload & 3] as number) * text + (COARSE_TF[(payload >> 2) & 3] as number) * code
  )
}
