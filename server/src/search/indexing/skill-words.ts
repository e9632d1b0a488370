import { FILLER_WORDS, PARTICLES, STOP_WORDS } from '../text/stop-words.ts'
import { camelParts, wordsOf } from '../text/words.ts'

/** What a word is to a sentence. */
export const STOP = 1
export const FILLER = 2
/** A function word of another language than English. */
export const PARTICLE = 3
/** A word beyond ASCII: many scripts have no stop words here. */
export const FOREIGN = 4
export const CONTENT = 5

const KNOWN = new Map<string, number>()
for (const word of PARTICLES) KNOWN.set(word, PARTICLE)
for (const word of FILLER_WORDS) KNOWN.set(word, FILLER)
for (const word of STOP_WORDS) KNOWN.set(word, STOP)

const ASCII = /^[a-z\d]+$/

/** A token of a skill as numbers of its words and of the parts of camelCase. */
export interface SkillToken {
  readonly words: readonly number[]
  readonly parts: readonly number[]
}

const NONE: readonly number[] = []

/** The distinct words of one skill, numbered from 1 as they come. */
export interface SkillWords {
  /** By number; the first is no word. */
  readonly texts: readonly string[]
  readonly kinds: readonly number[]
  /** How many are no stop words. */
  telling: number
  read(token: string): SkillToken
}

export function createSkillWords(): SkillWords {
  const texts = ['']
  const kinds = [0]
  /** Each distinct token is cut into words once; a word is its own token. */
  const tokens = new Map<string, SkillToken>()
  const skill: SkillWords = {
    texts,
    kinds,
    telling: 0,
    read: (token) => tokens.get(token) ?? cut(token),
  }
  return skill

  function cut(token: string): SkillToken {
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
    if (kind !== STOP) skill.telling++
    const read = { words: [number], parts: NONE }
    tokens.set(word, read)
    return read
  }
}
