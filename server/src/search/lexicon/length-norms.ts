import { FIELD_B, FIELD_WEIGHT } from '../constants/constants.ts'

const EXACT = 128
const GROWTH = 1.05

/** Lengths of the 256 codes: exact up to 127, then in steps of 5 %. */
const LENGTH_OF = new Float64Array(256)
for (let code = 0; code < 256; code++) {
  LENGTH_OF[code] = code < EXACT ? code : Math.round(EXACT * GROWTH ** (code - EXACT))
}

export function lengthCode(length: number): number {
  if (length < EXACT) return length
  const code = EXACT + Math.round(Math.log(length / EXACT) / Math.log(GROWTH))
  return Math.min(code, 255)
}

/** Per field: the total number of words, and the number of documents with at least one. */
export interface SavedLengthNorms {
  totals: number[]
  holders: number[]
}

export type LengthNorms = ReturnType<typeof createLengthNorms>

/** Average field lengths of the live documents, and the length norms. */
export function createLengthNorms(saved?: SavedLengthNorms) {
  const fields = FIELD_WEIGHT.length
  const values = new Float64Array(fields * 256)
  const totals = Float64Array.from(saved?.totals ?? new Float64Array(fields))
  const holders = Float64Array.from(saved?.holders ?? new Float64Array(fields))
  let stale = true
  return { norms, count, save: () => ({ totals: [...totals], holders: [...holders] }) }

  /** Adds (`sign` 1) or removes (-1) a document's codes. */
  function count(codes: Uint8Array, sign: 1 | -1): void {
    for (let field = 0; field < fields; field++) {
      const code = codes[field] as number
      if (code === 0) continue
      totals[field] = (totals[field] as number) + sign * (LENGTH_OF[code] as number)
      holders[field] = (holders[field] as number) + sign
    }
    stale = true
  }

  /**
   * Returns 256 values per field: field weight / normalized length. Returns the same array each
   * time.
   */
  function norms(): Float64Array {
    if (!stale) return values
    stale = false
    for (let field = 0; field < fields; field++) {
      const average = (totals[field] as number) / Math.max(1, holders[field] as number) || 1
      const weight = FIELD_WEIGHT[field] as number
      const b = FIELD_B[field] as number
      for (let code = 0; code < 256; code++) {
        const relative = (LENGTH_OF[code] as number) / average
        values[(field << 8) | code] = weight / (1 - b + b * relative)
      }
    }
    return values
  }
}
