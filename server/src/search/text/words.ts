import { MAX_WORD_LENGTH } from '../constants/constants.ts'
import { fold, segment } from './fold.ts'

/** A folded lower-case word ("editeur") and its unfolded spelling ("éditeur"). */
export interface Word {
  readonly word: string
  readonly written: string
}

/**
 * Letters and digits with an English contraction, and names such as "C++" and ".NET". In scripts
 * without spaces a token is a phrase.
 */
const TOKEN =
  /\.net(?<![\p{L}\p{Nd}]....)(?![\p{L}\p{Nd}])|[cf]#|c\+\+|[\p{L}\p{Nd}〇][\p{L}\p{Nd}\p{M}〇]*(?:['’](?:[sdtm]|ll|re|ve)(?![\p{L}\p{Nd}]))?/giu

const PLAIN = /^[a-z\d]+$/

const LANGUAGES = new Map([
  ['.net', 'dotnet'],
  ['c++', 'cpp'],
  ['c#', 'csharp'],
  ['f#', 'fsharp'],
])

/**
 * Returns the tokens of a text, in order. In scripts without spaces a token can contain several
 * words.
 */
export const tokensOf = (text: string): readonly string[] => text.match(TOKEN) ?? []

export function wordsOf(token: string): readonly Word[] {
  const written = token.toLowerCase()
  if (PLAIN.test(written))
    return written.length > MAX_WORD_LENGTH ? [] : [{ word: written, written }]
  const word = LANGUAGES.get(written) ?? withoutContraction(written)
  const words = PLAIN.test(word)
    ? [{ word, written }]
    : segment(word).map((part) => ({ word: fold(part), written: part }))
  return words.filter((each) => each.word.length <= MAX_WORD_LENGTH && each.word !== '')
}

export const phraseOf = (text: string): string =>
  tokensOf(text)
    .flatMap((token) => wordsOf(token).map(({ word }) => word))
    .join(' ')

/** Removes contractions: "user's" becomes "user". "don't" becomes "dont". */
function withoutContraction(token: string): string {
  const [stem = '', ending] = token.split(/['’]/)
  return ending === 't' && stem.endsWith('n') ? `${stem}t` : stem
}

const UPPER = /.[A-Z]/
/** Words with upper case inside: not "iOS", nor words that are upper case throughout. */
const CAMEL = /^(?!.[A-Z]+$)[A-Za-z\d]*(?:[a-z\d][A-Z]|[A-Z]{2}[a-z\d])[A-Za-z\d]*$/
/** Splits "HTTPServer" into "HTTP" and "Server". "APIs" stays whole. */
const BOUNDARY = /(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s$)[a-z])/

/** Returns the lower-case parts of a camelCase token, none for other tokens. */
export function camelParts(token: string): string[] {
  if (!UPPER.test(token)) return []
  const [word = ''] = token.split(/['’]/)
  if (word.length > MAX_WORD_LENGTH || !CAMEL.test(word)) return []
  const parts = word.split(BOUNDARY).filter((part) => part.length > 1 && part !== word)
  return parts.map((part) => part.toLowerCase())
}
