import { TEXT_POSITIONS } from '@skillpass/server/search/constants/constants'
import { splitDescription } from '@skillpass/server/search/text/skill-text'
import { FILLER_WORDS, STOP_WORDS } from '@skillpass/server/search/text/stop-words'

/** Reads a skill as the docs of the ranking describe it, with strings and expressions, slowly. */

interface Skill {
  name: string
  slug: string
  description: string
  tags: readonly string[]
  readme: string
}

const stops = new Set(STOP_WORDS)
const fillers = new Set(FILLER_WORDS)
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** Everything that stands between words; letters beyond ASCII are what is not in here. */
const SEPARATOR = String.raw`[\0-/:-@\[-\x60{-\x7f\x80-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf×÷\u2000-\u2bff\u3000-\u3004\u3008-\u3020\ue000-\uf8ff\ufe00-\ufe0f\ufeff\ufff0-\uffff！-／：-＠［-｀｛-･\u{1f000}-\u{1ffff}]`
const LETTER = `(?!${SEPARATOR}).`
/** What the scanner takes for the going on of a short ending. */
const GOES_ON = String.raw`[A-Za-z0-9\u{80}-\u{10ffff}]`
const WORD = new RegExp(
  [
    `(?<net>(?<!${GOES_ON})\\.[Nn][Ee][Tt](?!${GOES_ON}))`,
    `(?<sign>(?<!${LETTER})(?:[Cc]\\+\\+|[CcFf]#))`,
    `(?<ascii>[A-Za-z0-9]+)(?!${LETTER})(?:['’](?<end>[SsTtDdMm]|[Ll]{2}|[RrVv][Ee])(?!${GOES_ON}))?`,
    `(?<run>(?:${LETTER})+)`,
  ].join('|'),
  'gu',
)

interface Token {
  word: string
  part: boolean
}

const tooLong = (word: string) => Buffer.byteLength(word) > 64

function tokensOf(line: string, camel: boolean): Token[] {
  return Array.from(line.matchAll(WORD)).flatMap(({ groups = {} }) => {
    const { net, sign, ascii, end, run } = groups
    const one = (word: string): Token[] => (tooLong(word) ? [] : [{ word, part: false }])
    if (net !== undefined) return one('dotnet')
    if (sign !== undefined) return one(sign.toLowerCase().replace('++', 'pp').replace('#', 'sharp'))
    if (ascii === undefined) return foreignWords(run ?? '').flatMap(one)
    const negated = /n$/i.test(ascii) && /^t$/i.test(end ?? '') && ascii.length < 64
    const word = ascii.toLowerCase() + (negated ? 't' : '')
    return tooLong(word) ? [] : [...one(word), ...(camel ? partsOf(ascii, word.length) : [])]
  })
}

function partsOf(word: string, length: number): Token[] {
  const inner = word.slice(1).replace(/[^A-Z]/g, '').length
  if (inner === 0 || inner >= length - 1) return []
  return word
    .split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s$)[a-z])/)
    .filter((part) => part.length > 1 && part.length < word.length)
    .map((part) => ({ word: part.toLowerCase(), part: true }))
}

function foreignWords(text: string): string[] {
  const run = text.normalize('NFKC').toLowerCase()
  const words = /\p{scx=Han}|\p{scx=Hira}|\p{scx=Kana}|\p{Script=Thai}/u.test(run)
    ? (run.match(/[\s\S]{1,200}/g) ?? [])
        .flatMap((piece) => Array.from(segmenter.segment(piece)))
        .filter(({ isWordLike }) => isWordLike)
        .map(({ segment }) => segment)
    : (run.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [])
  return words
    .map((word) =>
      word
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]/g, '')
        .replace(/ß/g, 'ss')
        .normalize('NFC'),
    )
    .filter((word) => word !== '')
}

/** The words of the nine sections, gaps as bars, and the lengths of the six fields. */
export function readSlowly(skill: Skill): { sections: string[]; lengths: number[] } {
  const sections: string[][] = Array.from({ length: 9 }, () => [])
  const lengths = [0, 0, 0, 0, 0, 0]
  const head = (text: string, section: number, length: number) => {
    const tokens = text.split('\n').flatMap((line) => tokensOf(line, section > 0))
    const parts = tokens.filter(({ part }) => part)
    const gap = parts.length > 0 ? [{ word: '|' }] : []
    const inPlace = tokens.filter(({ part }) => !part)
    sections[section] = [...inPlace, ...gap, ...parts].map(({ word }) => word)
    lengths[length] = (lengths[length] ?? 0) + tokens.length
    return inPlace.map(({ word }) => word).join(' ')
  }
  const name = head(skill.name, 0, 0)
  const repeats =
    tokensOf(skill.slug, false)
      .map(({ word }) => word)
      .join(' ') === name
  head(repeats ? '' : skill.slug, 1, 0)
  head(skill.tags.join('\n'), 2, 1)
  const { purpose, aside } = splitDescription(skill.description)
  head(purpose, 3, 2)
  head(aside, 4, 6)
  for (const { line, kind } of linesOf(skill.readme)) {
    for (const { word, part } of tokensOf(line, true)) {
      lengths[3 + kind] = (lengths[3 + kind] ?? 0) + 1
      const isLate = kind === 1 && (sections[6]?.length ?? 0) >= TEXT_POSITIONS
      const section = kind === 2 ? 8 : fillers.has(word) || part || isLate ? 7 : 5 + kind
      if (!stops.has(word)) sections[section]?.push(word)
    }
  }
  return { sections: sections.map((words) => words.join(' ')), lengths: lengths.slice(0, 6) }
}

/** Lines with 0 for a heading, 1 for text, 2 for code. */
function linesOf(readme: string): { line: string; kind: number }[] {
  let fence = ''
  return readme.split('\n').map((line) => {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark === undefined) {
      return { line, kind: fence !== '' ? 2 : /^#{1,6}[ \t]/.test(line) ? 0 : 1 }
    }
    if (fence === '') fence = mark
    else if (mark.startsWith(fence)) fence = ''
    return { line, kind: 2 }
  })
}
