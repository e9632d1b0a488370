import { ENGLISH, FILLER_WORDS, PARTICLES, STOP_WORDS } from '../text/stop-words.ts'
import { camelParts, wordsOf } from '../text/words.ts'

/** Kinds of words. */
export const STOP = 1
export const FILLER = 2
/** A function word of a language other than English. */
export const PARTICLE = 3
/** A word with non-ASCII letters. Many scripts have no stop word list. */
export const FOREIGN = 4
export const CONTENT = 5

const KNOWN = new Map<string, number>()
for (const word of STOP_WORDS) KNOWN.set(word, STOP)
for (const word of PARTICLES) KNOWN.set(word, PARTICLE)
for (const word of FILLER_WORDS) KNOWN.set(word, FILLER)
for (const word of ENGLISH) KNOWN.set(word, STOP)

const ASCII = /^[a-z\d]+$/

/** Indexes of the words of a token and of its camelCase parts. */
export interface SkillToken {
  readonly words: readonly number[]
  readonly parts: readonly number[]
}

const NONE: readonly number[] = []

export type SkillWords = ReturnType<typeof createSkillWords>

/** Collects the distinct words of one skill, numbered from 1 in order of appearance. */
export function createSkillWords() {
  /** By number. Index 0 is unused. */
  const texts = ['']
  const kinds = [0]
  /** Results by token. A plain word is its own token. */
  const tokens = new Map<string, SkillToken>()
  const skill = {
    texts,
    kinds,
    /** Number of words that are not stop words. */
    contentCount: 0,
    read: (token: string) => tokens.get(token) ?? analyze(token),
  }
  return skill

  function analyze(token: string): SkillToken {
    const found = wordsOf(token)
    if (found.length === 1 && found[0]?.word === token) return add(token)
    const words = found.flatMap(({ word }) => (tokens.get(word) ?? add(word)).words)
    const parts = camelParts(token).flatMap((part) => (tokens.get(part) ?? add(part)).words)
    const read = { words, parts }
    tokens.set(token, read)
    return read
  }

  function add(word: string): SkillToken {
    const number = texts.push(word) - 1
    const kind = KNOWN.get(word) ?? (ASCII.test(word) ? CONTENT : FOREIGN)
    kinds.push(kind)
    if (kind !== STOP) skill.contentCount++
    const read = { words: [number], parts: NONE }
    tokens.set(word, read)
    return read
  }
}
