import type { KnownWords } from '../lexicon/known-words.ts'
import { BLANK, END, LINE, PART, type Scanner, WORD } from '../text/scanner.ts'

/** Reads the words of a scanner's text as their entries in a vocabulary, a line at a time. */
export interface LineReader {
  /** The entries of the words that were read last, camelCase parts with `PART_FLAG`. */
  readonly entries: Uint32Array
  /** How many they are. */
  count: number
  /** Reads on; gives `LINE` or `END` where the line ends, and `WORD` where more of it may follow. */
  read(): number
}

/** Added to the entries of camelCase parts; below 2^30, as tokens are (forward-index.ts). */
export const PART_FLAG = 0x20000000

/** The most words of one `read`. */
const MOST_ENTRIES = 512

export function createLineReader(
  scanner: Scanner,
  { intern }: Pick<KnownWords, 'intern'>,
): LineReader {
  const entries = new Uint32Array(MOST_ENTRIES)
  const reader: LineReader = { entries, count: 0, read }
  return reader

  function read(): number {
    reader.count = 0
    while (reader.count < MOST_ENTRIES) {
      const token = scanner.next(true)
      if (token === END || token === LINE) return token
      if (token === BLANK) return WORD
      const entry = intern(scanner)
      entries[reader.count++] = token === PART ? entry + PART_FLAG : entry
    }
    return WORD
  }
}
