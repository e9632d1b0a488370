import { LONGEST_WORD } from '../constants/constants.ts'
import type { KnownWords } from '../lexicon/known-words.ts'
import { DOT, isCamel, LETTER_N, LOWERED, NEWLINE, PLUS, QUOTE, SHARP } from '../text/characters.ts'
import { FNV_OFFSET, FNV_PRIME, setWord } from '../text/hashed-word.ts'
import { LONGEST_RECENT, placeOf } from '../text/recent-words.ts'
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

/** Added to the entries of camelCase parts; small as the marks of forward.ts. */
export const PART_FLAG = 0x20000000

/** Words that `read` reads at most. */
const MOST_ENTRIES = 512

/** `scanner` has the recent words of this vocabulary. */
export function createLineReader(
  scanner: Scanner,
  { recent, intern }: Pick<KnownWords, 'recent' | 'intern'>,
): LineReader {
  const entries = new Uint32Array(MOST_ENTRIES)
  const reader: LineReader = { entries, count: 0, read }
  return reader

  function read(): number {
    reader.count = 0
    while (reader.count < MOST_ENTRIES) {
      if (!scanner.isInside()) readPlain()
      if (reader.count === MOST_ENTRIES) break
      const token = scanner.next(true)
      if (token === END || token === LINE) return token
      if (token === BLANK) return WORD
      const entry = scanner.known || intern(scanner)
      entries[reader.count++] = token === PART ? entry + PART_FLAG : entry
    }
    return WORD
  }

  /** Reads words of plain letters, which nearly all are, up to the first that is another. */
  function readPlain(): void {
    const { source } = scanner
    const lowered = LOWERED
    let count = reader.count
    let i = scanner.place
    let start = i
    while (count < MOST_ENTRIES) {
      let c = source[i] as number
      let lower = lowered[c] as number
      while (lower === 0 && c !== NEWLINE && c !== DOT && c < 128) {
        c = source[++i] as number
        lower = lowered[c] as number
      }
      start = i
      if (lower === 0) {
        // ".NET" is a word
        if (c !== DOT || ((source[i + 1] as number) | 32) === LETTER_N) break
        i++
        continue
      }
      const first = c
      let hash = FNV_OFFSET
      let low = 0
      let middle = 0
      let high = 0
      let uppers = 0
      do {
        hash = Math.imul(hash ^ lower, FNV_PRIME)
        high = (high << 8) | (middle >>> 24)
        middle = (middle << 8) | (low >>> 24)
        low = (low << 8) | lower
        uppers += (lower - c) >> 5
        c = source[++i] as number
        lower = lowered[c] as number
      } while (lower !== 0)
      const length = i - start
      if (length > LONGEST_WORD || c >= 128 || c === QUOTE) break
      if (length === 1 && (c === PLUS || c === SHARP)) break
      if (uppers > 0 && isCamel(uppers, first, length)) break
      const place = placeOf(hash)
      const isRecent =
        length <= LONGEST_RECENT &&
        recent[place] === low &&
        recent[place + 1] === middle &&
        recent[place + 2] === high
      if (isRecent) entries[count++] = recent[place + 3] as number
      else {
        setWord(scanner, source, start, length)
        entries[count++] = intern(scanner)
      }
      start = i
    }
    scanner.place = start
    reader.count = count
  }
}
