import { LONGEST_WORD } from '../constants/constants.ts'
import {
  apostropheWidth,
  contraction,
  DOT,
  isCamel,
  isCamelBoundary,
  isDotNet,
  isNt,
  LOWERED,
  NEWLINE,
  PLUS,
  QUOTE,
  SHARP,
  sequenceLength,
  sharpOrPlus,
  symbolWidth,
} from './characters.ts'
import { fold, LONGEST_RUN, wordsOf } from './fold.ts'
import { extendPhrase, type HashedWord, NO_PHRASE, setWord } from './hashed-word.ts'

/** What `Scanner.next` came to: the text's end, a word, a part of the camelCase word before, a line's end. */
export const END = 0
export const WORD = 1
export const PART = 2
export const LINE = 3
/** Letters beyond ASCII that make no word; a caller that counts time stops here too. */
export const BLANK = 4

/** Called once per word or part of one; `start` and `end` are where it stands in the scanner's source. */
export type TokenSink = (start: number, end: number, isPart: boolean) => void

/**
 * Cuts text into words without making a string per word. It works on UTF-8: reading bytes is twice
 * as fast as asking a string for its characters. The scanner is itself the current word.
 */
export interface Scanner extends HashedWord {
  /** Where a current word beyond ASCII is kept, and after `scan` every one, in lower case. */
  readonly bytes: Uint8Array
  /** The text that is being read, as UTF-8, and its length. */
  source: Uint8Array
  sourceLength: number
  /** Where `next` goes on. */
  place: number
  /** Bytes read so far that needed folding or segmentation, which is slow. */
  foreign: number
  /** Makes `text` the source; gives its length in bytes. */
  open(text: string): number
  /** Whether parts of the last word are still to come, or other words of its run beyond ASCII. */
  isInside(): boolean
  /** Goes on to the next word or line; `camel` also gives parts of camelCase words. */
  next(camel: boolean): number
  /** `open`, then every word; `camel` as in `next`. */
  scan(text: string, camel: boolean, sink: TokenSink): void
  /** Makes `word` the current word; its length is 0 when it is too long for one. */
  load(word: string): void
  /** The current word as it was written, in lower case. */
  written(start: number, end: number): string
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The hash of a phrase: equal for the same words in the same order. */
export function phraseHash(scanner: Scanner, phrase: string): number {
  let hash = NO_PHRASE
  scanner.scan(phrase, false, () => {
    hash = extendPhrase(hash, scanner)
  })
  return hash >>> 0
}

export function createScanner(): Scanner {
  const bytes = new Uint8Array(LONGEST_WORD)
  /** Words of a run beyond ASCII that are still to come, last first; where the run begins. */
  let waiting: string[] = []
  let runStart = 0
  /** A word beyond ASCII before folding; empty where the source shows it. */
  let surface = ''
  /** Where parts of a camelCase word go on, and where it begins and ends; else the end is 0. */
  let partFrom = 0
  let camelStart = 0
  let camelEnd = 0
  /** Where the current word begins. */
  let wordStart = 0
  const scanner: Scanner = {
    text: bytes,
    at: 0,
    length: 0,
    hash: 0,
    bytes,
    source: new Uint8Array(1024),
    sourceLength: 0,
    place: 0,
    foreign: 0,
    isInside() {
      return camelEnd !== 0 || waiting.length > 0
    },
    open,
    next,
    scan,
    load,
    written: (start, end) =>
      (scanner.text === bytes ? surface : '') ||
      decoder.decode(scanner.source.subarray(start, end)).toLowerCase(),
  }
  return scanner

  function open(text: string): number {
    const most = text.length * 3 + 1
    if (most > scanner.source.length) scanner.source = new Uint8Array(most)
    scanner.sourceLength = encoder.encodeInto(text, scanner.source).written
    // ends every word, so that only line ends need to look for the text's end
    scanner.source[scanner.sourceLength] = NEWLINE
    scanner.place = scanner.foreign = camelEnd = 0
    waiting = []
    return scanner.sourceLength
  }

  function next(camel: boolean): number {
    const lowered = LOWERED
    if (camelEnd !== 0 && nextPart()) return PART
    if (waiting.length > 0 && nextOfRun()) return WORD
    const { source } = scanner
    let i = scanner.place
    for (;;) {
      let c = source[i] as number
      let lower = lowered[c] as number
      if (lower === 0) {
        if (c === NEWLINE) {
          const ended = i >= scanner.sourceLength
          scanner.place = ended ? i : i + 1
          return ended ? END : LINE
        }
        if (c >= 128) {
          const skip = symbolWidth(source, i)
          if (skip > 0) i += skip
          else {
            return run(i) ? WORD : BLANK
          }
        } else if (c === DOT && isDotNet(source, i, scanner.sourceLength)) {
          return literal('dotnet', i, i + 4)
        } else i++
        continue
      }
      const start = i
      let uppers = 0
      do {
        uppers += (lower - c) >> 5
        c = source[++i] as number
        lower = lowered[c] as number
      } while (lower !== 0)
      const length = i - start
      if (c === QUOTE || c >= 128) {
        const width = apostropheWidth(source, i)
        if (width === 0 && symbolWidth(source, i) === 0) {
          return run(start) ? WORD : BLANK
        }
        const suffix = width === 0 ? 0 : contraction(source, i + width, scanner.sourceLength)
        // "don't" is one word, "user's" is "user"
        if (suffix === 1 && isNt(source, i, width) && length < LONGEST_WORD) {
          return negation(start, i, i + width + suffix, camel ? uppers : 0)
        }
        if (suffix > 0) i += width + suffix
      } else if (length === 1 && (c === PLUS || c === SHARP)) {
        const word = sharpOrPlus(source, start, scanner.sourceLength)
        if (word !== '') return literal(word, start, start + (word === 'cpp' ? 3 : 2))
      }
      if (length > LONGEST_WORD) continue
      if (uppers > 0 && camel) beginParts(uppers, start, start + length, length)
      scanner.place = i
      wordStart = start
      setWord(scanner, source, start, length)
      return WORD
    }
  }

  function beginParts(uppers: number, start: number, end: number, length: number): void {
    if (!isCamel(uppers, scanner.source[start] as number, length)) return
    partFrom = camelStart = start
    camelEnd = end
  }

  function nextPart(): boolean {
    const { source } = scanner
    while (partFrom < camelEnd) {
      const from = partFrom
      let end = from + 1
      while (end < camelEnd && !isCamelBoundary(source, end, camelEnd)) end++
      partFrom = end
      if (end - from === 1 || end - from === camelEnd - camelStart) continue
      setWord(scanner, source, from, end - from)
      wordStart = from
      return true
    }
    camelEnd = 0
    return false
  }

  /** A run that holds letters beyond ASCII, up to the next ASCII separator or symbol. */
  function run(start: number): boolean {
    const { source } = scanner
    const most = Math.min(scanner.sourceLength, start + LONGEST_RUN)
    let end = start
    while (end < most) {
      const c = source[end] as number
      if (c < 128) {
        if (LOWERED[c] === 0) break
        end++
      } else {
        if (symbolWidth(source, end) > 0) break
        end += sequenceLength(c)
      }
    }
    scanner.place = end
    scanner.foreign += end - start
    runStart = start
    waiting = wordsOf(decoder.decode(source.subarray(start, end))).reverse()
    return nextOfRun()
  }

  function nextOfRun(): boolean {
    for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
      load(fold(word))
      if (scanner.length === 0) continue
      surface = word
      wordStart = runStart
      return true
    }
    return false
  }

  function negation(start: number, end: number, next: number, uppers: number): number {
    load(`${decoder.decode(scanner.source.subarray(start, end)).toLowerCase()}t`)
    wordStart = start
    scanner.place = next
    if (uppers > 0) beginParts(uppers, start, end, scanner.length)
    return WORD
  }

  function literal(word: string, start: number, end: number): number {
    load(word)
    wordStart = start
    scanner.place = end
    return WORD
  }

  function load(word: string): void {
    const { read, written } = encoder.encodeInto(word, bytes)
    surface = ''
    setWord(scanner, bytes, 0, read === word.length ? written : 0)
  }

  function scan(text: string, camel: boolean, sink: TokenSink): void {
    open(text)
    for (let token = next(camel); token !== END; token = next(camel)) {
      if (token !== WORD && token !== PART) continue
      keep()
      const isPart = token === PART
      sink(wordStart, isPart ? partFrom : scanner.place, isPart)
    }
  }

  /** Copies the current word to `bytes`. */
  function keep(): void {
    const { text, at, length } = scanner
    if (text === bytes) return
    for (let i = 0; i < length; i++) bytes[i] = LOWERED[text[at + i] as number] as number
    surface = ''
    scanner.text = bytes
    scanner.at = 0
  }
}
