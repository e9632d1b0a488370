import { LONGEST_WORD } from './constants.ts'

/** Called once per word; `start` and `end` are where it stands in the scanner's source. */
export type TokenSink = (start: number, end: number) => void

/**
 * Cuts text into words without making a string per word. It works on UTF-8: reading bytes is twice
 * as fast as asking a string for its characters. The current word is read from here while the sink
 * runs.
 */
export interface Scanner {
  /** The current word, lower-cased and folded, and its hash. */
  readonly bytes: Uint8Array
  length: number
  hash: number
  /** Whether the current word is a part of the camelCase word before it. */
  part: boolean
  /** The text that is being read, as UTF-8. */
  source: Uint8Array
  /** Makes `text` the source; gives its length in bytes. */
  open(text: string): number
  /** Emits the words of the source between two places; `camel` also emits parts of camelCase words. */
  range(from: number, to: number, camel: boolean, sink: TokenSink): void
  /** `open` and `range` in one. */
  scan(text: string, camel: boolean, sink: TokenSink): void
  /** Makes `word` the current word. */
  load(word: string): void
  /** The current word as it was written, in lower case. */
  written(start: number, end: number): string
}

const QUOTE = 39
const DOT = 46
const PLUS = 43
const SHARP = 35
const LETTER_C = 99
const LETTER_F = 102
const LETTER_S = 115
const LETTER_T = 116

/** The lower-case letter or digit that a byte is, else 0. */
const LOWERED = new Uint8Array(256)
for (let c = 48; c <= 57; c++) LOWERED[c] = c
for (let c = 97; c <= 122; c++) {
  LOWERED[c] = c
  LOWERED[c - 32] = c
}

const FNV_OFFSET = 0x811c9dc5 | 0
const FNV_PRIME = 16777619

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Scripts written without spaces, where only a dictionary finds the words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** Latin, Greek and Cyrillic accents; Arabic vowel signs and the stretching tatweel. */
const ACCENTS = /[\u0300-\u036f\u064b-\u065f\u0670\u0640]/g
const LIGATURES: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
}

/** Lower case, compatibility forms and accents folded: "Éditeur" is "editeur". */
export function fold(word: string): string {
  const plain = word.toLowerCase().normalize('NFKD').replace(ACCENTS, '')
  return plain.replace(/[ßæœøłđı]/g, (c) => LIGATURES[c] ?? c).normalize('NFC')
}

/** The same for phrases of the same words in the same order. */
export function phraseHash(scanner: Scanner, phrase: string): number {
  let hash = FNV_OFFSET
  scanner.scan(phrase, false, () => {
    hash = Math.imul(hash ^ scanner.hash, FNV_PRIME)
    hash ^= hash >>> 15
  })
  return hash >>> 0
}

export function createScanner(): Scanner {
  const bytes = new Uint8Array(LONGEST_WORD)
  /** A word beyond ASCII before folding; empty where the source shows it. */
  let surface = ''
  const scanner: Scanner = {
    bytes,
    length: 0,
    hash: 0,
    part: false,
    source: new Uint8Array(1024),
    open,
    range,
    scan,
    load,
    written: (start, end) =>
      surface || decoder.decode(scanner.source.subarray(start, end)).toLowerCase(),
  }
  return scanner

  function open(text: string): number {
    const most = text.length * 3
    if (most > scanner.source.length) scanner.source = new Uint8Array(most)
    return encoder.encodeInto(text, scanner.source).written
  }

  function scan(text: string, camel: boolean, sink: TokenSink): void {
    range(0, open(text), camel, sink)
  }

  function range(from: number, to: number, camel: boolean, sink: TokenSink): void {
    const { source } = scanner
    let i = from
    while (i < to) {
      const c = source[i] as number
      if (LOWERED[c] !== 0) {
        i = ascii(source, i, to, camel, sink)
      } else if (c < 128) {
        if (c === DOT && isDotNet(source, i, to)) {
          literal('dotnet', i, i + 4, sink)
          i += 4
        } else i++
      } else {
        const skip = symbolWidth(source, i)
        i = skip > 0 ? i + skip : foreign(source, i, to, sink)
      }
    }
  }

  /** A word that begins with an ASCII letter or digit; gives where to go on. */
  function ascii(
    source: Uint8Array,
    start: number,
    to: number,
    camel: boolean,
    sink: TokenSink,
  ): number {
    let hash = FNV_OFFSET
    let innerUppers = 0
    let i = start
    let c = 0
    for (; i < to; i++) {
      c = source[i] as number
      const lower = LOWERED[c] as number
      if (lower === 0) break
      // longer words are dropped below, so what is overwritten does not matter
      bytes[(i - start) & (LONGEST_WORD - 1)] = lower
      hash = Math.imul(hash ^ lower, FNV_PRIME)
      if (lower !== c && i > start) innerUppers++
    }
    let length = i - start
    let next = i
    if (i < to) {
      if (c >= 128 && !isApostrophe(source, i) && symbolWidth(source, i) === 0) {
        return foreign(source, start, to, sink)
      }
      if (isApostrophe(source, i)) {
        const mark = c === QUOTE ? 1 : 3
        const suffix = contraction(source, i + mark, to)
        if (suffix > 0) next = i + mark + suffix
        // "don't" is one word, "user's" is "user"
        if (suffix === 1 && isNt(source, i, mark) && length < LONGEST_WORD) {
          bytes[length++] = LETTER_T
          hash = Math.imul(hash ^ LETTER_T, FNV_PRIME)
        }
      } else if (length === 1 && (c === PLUS || c === SHARP)) {
        const word = sharpOrPlus(source, start, to)
        if (word !== '') {
          next = start + (word === 'cpp' ? 3 : 2)
          literal(word, start, next, sink)
          return next
        }
      }
    }
    if (length <= LONGEST_WORD) {
      scanner.length = length
      scanner.hash = hash
      surface = ''
      sink(start, next)
      if (camel && innerUppers > 0 && innerUppers < length - 1) camelParts(source, start, i, sink)
    }
    return next
  }

  function camelParts(source: Uint8Array, start: number, end: number, sink: TokenSink): void {
    let from = start
    scanner.part = true
    for (let i = start + 1; i <= end; i++) {
      if (i < end && !isCamelBoundary(source, i, end)) continue
      let hash = FNV_OFFSET
      for (let j = from; j < i; j++) {
        const lower = LOWERED[source[j] as number] as number
        bytes[j - from] = lower
        hash = Math.imul(hash ^ lower, FNV_PRIME)
      }
      if (i - from > 1 && i - from < end - start) {
        scanner.length = i - from
        scanner.hash = hash
        sink(from, i)
      }
      from = i
    }
    scanner.part = false
  }

  /** A run that holds letters beyond ASCII, up to the next ASCII separator or symbol. */
  function foreign(source: Uint8Array, start: number, to: number, sink: TokenSink): number {
    let end = start
    while (end < to) {
      const c = source[end] as number
      if (c < 128) {
        if (LOWERED[c] === 0) break
        end++
      } else {
        if (symbolWidth(source, end) > 0) break
        end += sequenceLength(c)
      }
    }
    const run = decoder.decode(source.subarray(start, end)).normalize('NFKC').toLowerCase()
    if (UNSPACED.test(run)) {
      for (const piece of pieces(run)) {
        for (const part of segmenter.segment(piece)) if (part.isWordLike) emit(part.segment)
      }
    } else {
      for (const word of run.match(WORDS) ?? []) emit(word)
    }
    return end

    function emit(word: string): void {
      load(fold(word))
      surface = word
      if (scanner.length > 0) sink(start, end)
    }
  }

  function literal(word: string, start: number, end: number, sink: TokenSink): void {
    load(word)
    surface = ''
    sink(start, end)
  }

  function load(word: string): void {
    const { read, written } = encoder.encodeInto(word, bytes)
    scanner.length = read === word.length ? written : 0
    let hash = FNV_OFFSET
    for (let i = 0; i < scanner.length; i++) {
      hash = Math.imul(hash ^ (bytes[i] as number), FNV_PRIME)
    }
    scanner.hash = hash
  }
}

/** Most code units of unspaced text that are segmented at once. */
const PIECE = 200

/**
 * Unspaced text in short pieces: the time of segmentation grows with the square of a run, so one
 * long run of a readme could hold the event loop for seconds. A cut may part one word in a hundred.
 */
function* pieces(run: string): Generator<string> {
  for (let start = 0; start < run.length; ) {
    const end = start + PIECE
    const inPair = (run.charCodeAt(end - 1) & 0xfc00) === 0xd800
    yield run.slice(start, inPair ? end + 1 : end)
    start = inPair ? end + 1 : end
  }
}

/** Bytes of the UTF-8 sequence that begins with `lead`. */
function sequenceLength(lead: number): number {
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
}

/** How many bytes of punctuation, symbol or emoji stand at `at`; 0 for a letter beyond ASCII. */
function symbolWidth(source: Uint8Array, at: number): number {
  const lead = source[at] as number
  const second = (source[at + 1] as number) & 63
  if (lead < 0xe0) return isSymbol(((lead & 31) << 6) | second) ? 2 : 0
  const third = (source[at + 2] as number) & 63
  if (lead < 0xf0) return isSymbol(((lead & 15) << 12) | (second << 6) | third) ? 3 : 0
  // emoji and pictographs, U+1F000 to U+1FBFF
  return lead === 0xf0 && second === 0x1f ? 4 : 0
}

function isSymbol(c: number): boolean {
  if (c < 0xc0) return c !== 0xaa && c !== 0xb5 && c !== 0xba
  if (c === 0xd7 || c === 0xf7) return true
  if (c < 0x2000) return false
  if (c < 0x2c00) return true
  if (c < 0x3021) return c >= 0x3000 && c !== 0x3005 && c !== 0x3006 && c !== 0x3007
  if (c < 0xe000) return false
  if (c < 0xf900) return true
  if (c < 0xfe00) return false
  if (c < 0xfe10 || c === 0xfeff || c >= 0xfff0) return true
  // full-width forms: letters and digits are words, the signs between them are not
  return c > 0xff00 && c < 0xff66 && LOWERED[c - 0xfee0] === 0
}

function isApostrophe(source: Uint8Array, at: number): boolean {
  const c = source[at]
  return c === QUOTE || (c === 0xe2 && source[at + 1] === 0x80 && source[at + 2] === 0x99)
}

function isNt(source: Uint8Array, quote: number, mark: number): boolean {
  return (
    LOWERED[source[quote - 1] as number] === 110 &&
    LOWERED[source[quote + mark] as number] === LETTER_T
  )
}

/** Length of 's, 't, 'd, 'm, 'll, 're, 've before a word's end, else 0. */
function contraction(source: Uint8Array, at: number, to: number): number {
  let end = at
  while (end < to && end < at + 3 && isWordByte(source[end] as number)) end++
  const first = String.fromCharCode(LOWERED[source[at] as number] as number)
  if (end - at === 1) return 'stdm'.includes(first) ? 1 : 0
  if (end - at !== 2) return 0
  const second = String.fromCharCode(LOWERED[source[at + 1] as number] as number)
  return ['ll', 're', 've'].includes(first + second) ? 2 : 0
}

function isWordByte(c: number): boolean {
  return c >= 128 || LOWERED[c] !== 0
}

function sharpOrPlus(source: Uint8Array, start: number, to: number): string {
  const letter = LOWERED[source[start] as number]
  const plus = source[start + 1] === PLUS && start + 2 < to && source[start + 2] === PLUS
  if (letter === LETTER_C && plus) return 'cpp'
  if (source[start + 1] !== SHARP) return ''
  return letter === LETTER_C ? 'csharp' : letter === LETTER_F ? 'fsharp' : ''
}

function isDotNet(source: Uint8Array, dot: number, to: number): boolean {
  if (dot + 4 > to || (dot > 0 && isWordByte(source[dot - 1] as number))) return false
  const isNet = [110, 101, LETTER_T].every(
    (letter, i) => LOWERED[source[dot + 1 + i] as number] === letter,
  )
  return isNet && (dot + 4 === to || !isWordByte(source[dot + 4] as number))
}

function isUpper(c: number): boolean {
  return c >= 65 && c <= 90
}

function isCamelBoundary(source: Uint8Array, i: number, end: number): boolean {
  if (!isUpper(source[i] as number)) return false
  if (!isUpper(source[i - 1] as number)) return true
  // "HTTPServer" is http + server, but "APIs" stays whole
  const after = source[i + 1] as number
  return i + 1 < end && after >= 97 && !(i + 2 === end && after === LETTER_S)
}
