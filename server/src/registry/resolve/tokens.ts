import { LONGEST_WORD } from './constants.ts'

/** Called once per word; `start` and `end` are where it stands in the text. */
export type TokenSink = (start: number, end: number) => void

/**
 * Cuts text into words without making a string per word: the current word's UTF-8 bytes and hash
 * are read from here while the sink runs.
 */
export interface Scanner {
  readonly bytes: Uint8Array
  length: number
  hash: number
  /** The word as written, lower-cased, where it is not simply `text.slice(start, end)`. */
  surface: string
  /** Whether the current word is a part of the camelCase word before it. */
  part: boolean
  /** Scans `text` from `from` to `to`; `camel` also emits the parts of camelCase words. */
  scan(text: string, from: number, to: number, camel: boolean, sink: TokenSink): void
  /** Makes `word` the current word. */
  load(word: string): void
}

const LOWER = 1
const UPPER = 2
const DIGIT = 3

const CLASS = new Uint8Array(128)
for (let c = 97; c <= 122; c++) CLASS[c] = LOWER
for (let c = 65; c <= 90; c++) CLASS[c] = UPPER
for (let c = 48; c <= 57; c++) CLASS[c] = DIGIT

const FNV_OFFSET = 0x811c9dc5 | 0
const FNV_PRIME = 16777619

const encoder = new TextEncoder()
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
  scanner.scan(phrase, 0, phrase.length, false, () => {
    hash = Math.imul(hash ^ scanner.hash, FNV_PRIME)
    hash ^= hash >>> 15
  })
  return hash >>> 0
}

export function createScanner(): Scanner {
  const bytes = new Uint8Array(LONGEST_WORD)
  const scanner: Scanner = { bytes, length: 0, hash: 0, surface: '', part: false, scan, load }
  return scanner

  function scan(text: string, from: number, to: number, camel: boolean, sink: TokenSink): void {
    let i = from
    while (i < to) {
      const c = text.charCodeAt(i)
      if (c >= 128) {
        const skip = symbolWidth(c)
        i = skip > 0 ? i + skip : foreign(text, i, to, sink)
      } else if (CLASS[c] !== 0) {
        i = ascii(text, i, to, camel, sink)
      } else if (c === 46 && isDotNet(text, i)) {
        literal('dotnet', i, i + 4, sink)
        i += 4
      } else {
        i++
      }
    }
  }

  function ascii(text: string, start: number, to: number, camel: boolean, sink: TokenSink): number {
    let hash = FNV_OFFSET
    let n = 0
    let lowers = false
    let innerUpper = false
    let i = start
    for (; i < to; i++) {
      let c = text.charCodeAt(i)
      if (c >= 128) {
        if (c === 0x2019 || symbolWidth(c) > 0) break
        return foreign(text, start, to, sink)
      }
      const kind = CLASS[c] as number
      if (kind === 0) break
      if (kind === UPPER) {
        c |= 32
        if (i > start) innerUpper = true
      } else if (kind === LOWER) lowers = true
      if (n < LONGEST_WORD) bytes[n] = c
      n++
      hash = Math.imul(hash ^ c, FNV_PRIME)
    }
    let end = i
    if (i < to) {
      const c = text.charCodeAt(i)
      if (c === 39 || c === 0x2019) {
        const suffix = contraction(text, i + 1, to)
        end = i + 1 + suffix
        // "don't" is one word, "user's" is "user"
        if (suffix === 1 && text.charCodeAt(i + 1) === 116 && text.charCodeAt(i - 1) === 110) {
          if (n < LONGEST_WORD) bytes[n] = 116
          n++
          hash = Math.imul(hash ^ 116, FNV_PRIME)
        } else if (suffix === 0) end = i
        if (end > i) i = end
      } else if (n === 1 && (c === 43 || c === 35)) {
        const word = sharpOrPlus(text, start)
        if (word !== '') {
          const width = word === 'cpp' ? 3 : 2
          literal(word, start, start + width, sink)
          return start + width
        }
      }
    }
    if (n <= LONGEST_WORD) {
      scanner.length = n
      scanner.hash = hash
      scanner.surface = ''
      sink(start, end)
      if (camel && innerUpper && lowers) camelParts(text, start, i, sink)
    }
    return i
  }

  function camelParts(text: string, start: number, end: number, sink: TokenSink): void {
    let from = start
    for (let i = start + 1; i <= end; i++) {
      if (i < end && !isCamelBoundary(text, i, end)) continue
      let hash = FNV_OFFSET
      let n = 0
      for (let j = from; j < i; j++) {
        const c = text.charCodeAt(j)
        const lower = CLASS[c] === UPPER ? c | 32 : c
        bytes[n++] = lower
        hash = Math.imul(hash ^ lower, FNV_PRIME)
      }
      if (n > 1 && !(from === start && i === end)) {
        scanner.length = n
        scanner.hash = hash
        scanner.part = true
        sink(from, i)
        scanner.part = false
      }
      from = i
    }
  }

  /** A run that holds letters beyond ASCII, up to the next ASCII separator or symbol. */
  function foreign(text: string, start: number, to: number, sink: TokenSink): number {
    let end = start
    while (end < to) {
      const c = text.charCodeAt(end)
      if (c < 128 ? CLASS[c] === 0 : symbolWidth(c) > 0) break
      end++
    }
    const run = text.slice(start, end).normalize('NFKC').toLowerCase()
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
      scanner.surface = word
      if (scanner.length > 0) sink(start, end)
    }
  }

  function literal(word: string, start: number, end: number, sink: TokenSink): void {
    load(word)
    scanner.surface = ''
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

/** How many code units of punctuation, symbol or emoji begin with `c`; 0 for a letter. */
function symbolWidth(c: number): number {
  if (c < 0xc0) return c === 0xaa || c === 0xb5 || c === 0xba ? 0 : 1
  if (c === 0xd7 || c === 0xf7) return 1
  if (c < 0x2000) return 0
  if (c < 0x2c00) return 1
  if (c < 0x3100) return (c >= 0x3000 && c < 0x3005) || (c >= 0x3008 && c < 0x3021) ? 1 : 0
  if (c < 0xd83c) return 0
  if (c < 0xd83f) return 2
  if (c >= 0xe000 && c < 0xf900) return 1
  if (c < 0xfe00) return 0
  if (c < 0xfe10 || c === 0xfeff || c >= 0xfff0) return 1
  if (c > 0xff00 && c < 0xff66) return isFullWidthAlphanumeric(c) ? 0 : 1
  return 0
}

function isFullWidthAlphanumeric(c: number): boolean {
  const ascii = c - 0xfee0
  return ascii < 128 && CLASS[ascii] !== 0
}

/** Length of 's, 't, 'd, 'm, 'll, 're, 've before a word's end, else 0. */
function contraction(text: string, at: number, to: number): number {
  let end = at
  while (end < to && end < at + 3 && isWordUnit(text.charCodeAt(end))) end++
  const suffix = text.slice(at, end).toLowerCase()
  return /^(?:[stdm]|ll|re|ve)$/.test(suffix) ? suffix.length : 0
}

function isWordUnit(c: number): boolean {
  return c >= 128 || CLASS[c] !== 0
}

function sharpOrPlus(text: string, start: number): string {
  const letter = text.charAt(start).toLowerCase()
  if (letter === 'c' && text.startsWith('++', start + 1)) return 'cpp'
  if (text.charAt(start + 1) !== '#') return ''
  return letter === 'c' ? 'csharp' : letter === 'f' ? 'fsharp' : ''
}

function isDotNet(text: string, dot: number): boolean {
  if (dot > 0 && isWordUnit(text.charCodeAt(dot - 1))) return false
  if (text.slice(dot + 1, dot + 4).toLowerCase() !== 'net') return false
  return dot + 4 >= text.length || !isWordUnit(text.charCodeAt(dot + 4))
}

function isCamelBoundary(text: string, i: number, end: number): boolean {
  const kind = CLASS[text.charCodeAt(i)]
  if (kind !== UPPER) return false
  const before = CLASS[text.charCodeAt(i - 1)]
  if (before !== UPPER) return true
  const after = i + 1 < end ? CLASS[text.charCodeAt(i + 1)] : 0
  // "HTTPServer" is http + server, but "APIs" stays whole
  return after === LOWER && !(i + 2 === end && text.charAt(i + 1) === 's')
}
