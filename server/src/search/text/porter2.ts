import { STOP_WORDS } from './stop-words.ts'

/** The English Snowball ("Porter2") stemmer, written from its published description. */

const EXCEPTIONS = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
])
for (const same of ['sky', 'news', 'howe', 'cosmos', 'andes']) EXCEPTIONS.set(same, same)
// Beyond Snowball: "DoS" and "UPS" are no plurals.
for (const word of STOP_WORDS) EXCEPTIONS.set(`${word}s`, `${word}s`)
// Beyond Snowball: words in s whose plural would have another stem.
for (const one of 'alias atlas bias bus canvas gas ios opus os plus'.split(' ')) {
  EXCEPTIONS.set(one, one)
  EXCEPTIONS.set(`${one}es`, one)
}
EXCEPTIONS.set('menus', 'menu')

/** Stems that would else be cut too short: "organize" is not "organ", "internal" not "intern". */
const R1_PREFIX = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/

/** Words that are finished once the plural is gone. */
const AFTER_PLURAL = new Set(
  'inning outing canning herring earring proceed exceed succeed'.split(' '),
)

const STEP_2 = byLastLetter([
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['iveness', 'ive'],
  ['ization', 'ize'],
  ['ousness', 'ous'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['tional', 'tion'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ation', 'ate'],
  ['entli', 'ent'],
  ['fulli', 'ful'],
  ['iviti', 'ive'],
  ['ousli', 'ous'],
  ['abli', 'able'],
  ['alli', 'al'],
  ['anci', 'ance'],
  ['ator', 'ate'],
  ['enci', 'ence'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
])

const STEP_3 = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['ative', ''],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
])

const STEP_4 = byLastLetter(
  'ement able ance ence ible ment ant ate ent ion ism iti ive ize ous al er ic'
    .split(' ')
    .map((suffix) => [suffix, '']),
)

/** A suffix, and what takes its place. */
type Rule = readonly [suffix: string, to: string]

/** Rules in their order, by the letter that their suffixes end in: few words end in any of them. */
function byLastLetter(rules: readonly Rule[]): (word: string) => readonly Rule[] {
  const byLetter = new Map<string, Rule[]>()
  for (const rule of rules) {
    const letter = rule[0].slice(-1)
    byLetter.set(letter, [...(byLetter.get(letter) ?? []), rule])
  }
  return (word) => byLetter.get(word.charAt(word.length - 1)) ?? []
}

/** The last letters of the suffixes that `stripPast` strips. */
const PAST_ENDS = 'dgy'

const DOUBLES = new Set(['bb', 'dd', 'ff', 'gg', 'mm', 'nn', 'pp', 'rr', 'tt'])

/** Words that have a stem, which is of such letters and digits too. */
export const ENGLISH = /^[a-z\d]{3,}$/

/** What all forms of a folded, lower-case word share; a word of another script is its own stem. */
export function stemOf(word: string): string {
  return ENGLISH.test(word) ? stemEnglish(word) : word
}

/** The stem of a lower-case ASCII word; a word of one or two letters is its own stem. */
export function stemEnglish(input: string): string {
  if (input.length <= 2) return input
  const exception = EXCEPTIONS.get(input)
  if (exception !== undefined) return exception
  let word = markConsonantY(input)
  const r1 = startOfR1(word)
  const r2 = startOfRegion(word, r1)
  word = stripPlural(word)
  if (AFTER_PLURAL.has(word)) return word
  word = stripPast(word, r1)
  word = finalYToI(word)
  word = mapSuffix(word, r1)
  word = stripDerived(word, r1, r2)
  word = stripResidual(word, r2)
  // Beyond Snowball, for "lens" and "lenses", "dns" and "dnses".
  word = stripEnd(word, r1, r2).replace(/(?<=[^aeiouys])s$/, '')
  return input.includes('y') ? word.replaceAll('Y', 'y') : word
}

/** A `y` that begins a word or follows a vowel is a consonant; upper case marks it. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word
  let out = ''
  for (let i = 0; i < word.length; i++) {
    const c = word.charAt(i)
    out += c === 'y' && (i === 0 || isVowelAt(out, i - 1)) ? 'Y' : c
  }
  return out
}

/** By character code. */
const VOWEL = Uint8Array.from({ length: 128 }, (_, code) =>
  Number('aeiouy'.includes(String.fromCharCode(code))),
)

function isVowelAt(word: string, i: number): boolean {
  return VOWEL[word.charCodeAt(i)] === 1
}

/** Whether one of the first `length` letters is a vowel. */
function hasVowel(word: string, length: number): boolean {
  for (let i = 0; i < length; i++) if (isVowelAt(word, i)) return true
  return false
}

/** Where the region after the first "vowel, then non-vowel" at or after `from` begins. */
function startOfRegion(word: string, from: number): number {
  for (let i = from + 1; i < word.length; i++) {
    if (!isVowelAt(word, i) && isVowelAt(word, i - 1)) return i + 1
  }
  return word.length
}

function startOfR1(word: string): number {
  return R1_PREFIX.exec(word)?.[0].length ?? startOfRegion(word, 0)
}

function endsInShortSyllable(word: string): boolean {
  const n = word.length
  if (n === 2) return isVowelAt(word, 0) && !isVowelAt(word, 1)
  if (n < 3) return false
  const last = word.charAt(n - 1)
  return (
    !isVowelAt(word, n - 1) &&
    last !== 'w' &&
    last !== 'x' &&
    last !== 'Y' &&
    isVowelAt(word, n - 2) &&
    !isVowelAt(word, n - 3)
  )
}

/** Unlike Snowball it takes "gpus", "ecus" and "kpis" for plurals, but not "css", "class", "saas" and "status". */
const SINGULAR_S = /(?:^.s|[aeiouy]s|aa|.[aeiouy].+u)s$/

function stripPlural(word: string): string {
  if (!word.endsWith('s') && !word.endsWith('ied')) return word
  if (/[^aeiouy]ses$/.test(word)) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) {
    return word.slice(0, word.length > 4 ? -2 : -1)
  }
  return SINGULAR_S.test(word) ? word : word.slice(0, -1)
}

function stripPast(word: string, r1: number): string {
  if (!PAST_ENDS.includes(word.slice(-1))) return word
  for (const suffix of ['eedly', 'eed']) {
    if (word.endsWith(suffix)) {
      return word.length - suffix.length >= r1 ? `${word.slice(0, -suffix.length)}ee` : word
    }
  }
  for (const suffix of ['ingly', 'edly', 'ing', 'ed']) {
    if (!word.endsWith(suffix)) continue
    const base = word.slice(0, -suffix.length)
    if (!hasVowel(base, base.length)) return word
    if (base.endsWith('at') || base.endsWith('bl') || base.endsWith('iz')) return `${base}e`
    if (DOUBLES.has(base.slice(-2))) return base.slice(0, -1)
    return base.length <= r1 && endsInShortSyllable(base) ? `${base}e` : base
  }
  return word
}

function finalYToI(word: string): string {
  const n = word.length
  const last = word.charAt(n - 1)
  const isY = last === 'y' || last === 'Y'
  return isY && n > 2 && !isVowelAt(word, n - 2) ? `${word.slice(0, -1)}i` : word
}

function mapSuffix(word: string, r1: number): string {
  for (const [suffix, to] of STEP_2(word)) {
    if (!word.endsWith(suffix)) continue
    const base = word.slice(0, -suffix.length)
    if (base.length < r1) return word
    if (suffix === 'ogi') return base.endsWith('l') ? base + to : word
    if (suffix === 'li') return 'cdeghkmnrt'.includes(base.charAt(base.length - 1)) ? base : word
    return base + to
  }
  return word
}

function stripDerived(word: string, r1: number, r2: number): string {
  for (const [suffix, to] of STEP_3(word)) {
    if (!word.endsWith(suffix)) continue
    const base = word.slice(0, -suffix.length)
    return base.length < (suffix === 'ative' ? r2 : r1) ? word : base + to
  }
  return word
}

function stripResidual(word: string, r2: number): string {
  for (const [suffix] of STEP_4(word)) {
    if (!word.endsWith(suffix)) continue
    const base = word.slice(0, -suffix.length)
    if (base.length < r2) return word
    return suffix !== 'ion' || base.endsWith('s') || base.endsWith('t') ? base : word
  }
  return word
}

function stripEnd(word: string, r1: number, r2: number): string {
  const base = word.slice(0, -1)
  if (word.endsWith('e')) {
    return base.length >= r2 || (base.length >= r1 && !endsInShortSyllable(base)) ? base : word
  }
  return word.endsWith('ll') && base.length >= r2 ? base : word
}
