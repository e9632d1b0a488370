import {
  GAP,
  LENGTH,
  LENGTH_FIELDS,
  LENGTH_OF_SECTION,
  type ReadSkill,
  SECTION,
  SECTIONS,
} from '../document/forward-index.ts'
import { PARTICLE } from '../lexicon/compounds.ts'
import { hashOf, phraseOf, tokensOf } from '../text/words.ts'
import { createProseMeter } from './prose.ts'
import { createSkillWords, FILLER, type SkillToken, STOP } from './skill-words.ts'

export interface SkillText {
  name: string
  slug: string
  description: string
  tags: readonly string[]
  readme: string
}

/** A word that is often one word with a particle: "log in", "back-up". */
const BEFORE_PARTICLE = /^[a-z]{2,6}$/
const WORD = /^[a-z\d]{1,12}$/
const NUMBER = /^\d{1,3}$/

/**
 * Distinct words per skill, without stop words. The rest of its readme is not indexed, because the
 * vocabulary never shrinks.
 */
const MAX_DISTINCT_WORDS = 4096

/** Words of the readme's text with a position, for pairs. Later words have only a frequency. */
const TEXT_POSITIONS = 1024

/** Maximum number of heading words with a position. */
const MAX_HEADING_WORDS = 4096

/** UTF-16 code units per step: up to 2 ms for Chinese text. */
const STEP = 4096
const NEWLINE = 10

/**
 * Analyzes a skill in steps of up to 2 ms. A typical skill takes about 100 µs, 256 KiB of Chinese
 * 50 ms. The result depends only on the text, so every node has the same index.
 */
export function* readSkill(skill: SkillText): Generator<void, ReadSkill> {
  const words = createSkillWords()
  const { kinds } = words
  const meter = createProseMeter(words)
  const isFull = () => words.contentCount >= MAX_DISTINCT_WORDS
  const sections = Array.from({ length: SECTIONS }, (): number[] => [])
  const lengths = new Uint32Array(LENGTH_FIELDS)
  const compounds: number[] = []
  const name = phraseOf(skill.name)
  // "github" would match only a third of the name "GitHub" with its parts
  readHead(skill.name, SECTION.name, LENGTH.name, false)
  // A slug that repeats the name adds no evidence.
  if (phraseOf(skill.slug) !== name) readHead(skill.slug, SECTION.slug, LENGTH.name)
  readHead(skill.tags.join('\n'), SECTION.tags, LENGTH.tags)
  const { purpose, aside } = splitDescription(skill.description)
  readHead(purpose, SECTION.description, LENGTH.description)
  // A skill that says "log in" or "wi-fi" also has the word "login" or "wifi".
  ;(sections[SECTION.description] as number[]).push(GAP, ...compounds)
  // Only search matches the excluded uses, so they have no length.
  readHead(aside, SECTION.aside)
  const sectionOf = createLineReader()
  const bytes = Buffer.from(skill.readme)
  let letters = 0
  for (let from = 0, end = 0; from < bytes.length && !isFull(); from = end) {
    const newline = bytes.indexOf(NEWLINE, from)
    end = newline < 0 ? bytes.length : newline + 1
    // Lines are decoded one by one, because regular expressions are much faster on pure ASCII
    // lines.
    const line = bytes.toString('utf8', from, end)
    const section = sectionOf(line)
    for (const piece of piecesOf(line)) {
      for (const token of tokensOf(piece)) if (!isFull()) addToken(words.read(token), section)
      letters += piece.length
      if (letters < STEP) continue
      yield
      letters = 0
    }
  }
  const [nameHash, prose] = [hashOf(name), meter.finish()]
  return { words: words.texts, sections, lengths, nameHash, prose }

  function readHead(text: string, section: number, length = -1, camel = true): void {
    const target = sections[section] as number[]
    const parts: number[] = []
    const isSlug = !/\s/.test(text)
    let end = 0
    for (const token of tokensOf(text)) {
      const at = text.indexOf(token, end)
      const isHyphened = !isSlug && at === end + 1 && text[end] === '-'
      end = at + token.length
      const before = words.texts[target.at(-1) ?? 0] ?? ''
      const read = words.read(token)
      const word = words.texts[read.words[0] ?? 0] ?? ''
      const isPhrasal = PARTICLE.test(word) && BEFORE_PARTICLE.test(before)
      if ((isHyphened || isPhrasal || NUMBER.test(word)) && WORD.test(before))
        compounds.push(...words.read(before + word).words)
      target.push(...read.words)
      if (camel) parts.push(...read.parts)
    }
    if (length >= 0) {
      for (const word of target) meter.head(word, section === SECTION.slug)
      lengths[length] = (lengths[length] as number) + target.length + parts.length
    }
    if (parts.length > 0) target.push(GAP, ...parts)
  }

  /** Adds the words of a token to the section of its line. Stop words are not indexed. */
  function addToken(token: SkillToken, section: number): void {
    const length = LENGTH_OF_SECTION[section] as number
    lengths[length] = (lengths[length] as number) + token.words.length + token.parts.length
    const isCode = section === SECTION.code
    const limit = section === SECTION.heading ? MAX_HEADING_WORDS : TEXT_POSITIONS
    const own = sections[section] as number[]
    const loose = isCode ? own : (sections[SECTION.loose] as number[])
    for (const word of token.words) {
      if (isCode) meter.code(word)
      else meter.text(word, false)
      const kind = kinds[word] as number
      if (kind === STOP) continue
      if (kind !== FILLER && own.length < limit) own.push(word)
      else loose.push(word)
    }
    for (const part of token.parts) {
      if (isCode) meter.code(part)
      else meter.text(part, true)
      if (kinds[part] !== STOP) loose.push(part)
    }
  }
}

/** Splits a line into pieces of at most `STEP`, at a blank if possible. */
function piecesOf(line: string): string[] {
  const pieces: string[] = []
  let from = 0
  while (line.length - from > STEP) {
    const piece = line.slice(from, from + STEP)
    const length = Math.max(0, piece.lastIndexOf(' ')) || STEP
    pieces.push(piece.slice(0, length))
    from += length
  }
  pieces.push(line.slice(from))
  return pieces
}

const SENTENCE_END = /(?<=[.!?;。！？])\s+|\n+/
const NOT_FOR =
  /^(?:(?:please )?(?:do not|don't|does not|doesn't|never|not) (?:use|for|apply|intended|suitable|meant|trigger|invoke|activate)|(?:skip|avoid) (?:this|it|when|for|if|using)|not (?:a|an) (?:replacement|substitute))\b/i
const ELSEWHERE =
  /^for .{3,90}?[,:]? (?:use|see|prefer|invoke|try) |\b(?:use|see|prefer) \S+ instead\b/i

/** Splits a description into the purpose and the uses that it excludes. */
function splitDescription(description: string): { purpose: string; aside: string } {
  let purpose = ''
  let aside = ''
  for (const sentence of description.split(SENTENCE_END)) {
    if (NOT_FOR.test(sentence) || ELSEWHERE.test(sentence)) aside += `${sentence}\n`
    else purpose += `${sentence}\n`
  }
  // If the description has only excluded uses, use them as its purpose.
  return purpose === '' ? { purpose: aside, aside: '' } : { purpose, aside }
}

const FENCE = /^[ \t]*(`{3,}|~{3,})/
const HEADING = /^#{1,6}[ \t]/

/**
 * Returns a function that takes the lines of a readme and returns their sections. Fences are code.
 */
function createLineReader(): (line: string) => number {
  /** Fence of the open code block. */
  let open = ''
  return (line) => {
    const [, fence] = FENCE.exec(line) ?? []
    if (fence !== undefined) {
      if (open === '') open = fence
      else if (fence.startsWith(open)) open = ''
      return SECTION.code
    }
    if (open !== '') return SECTION.code
    return HEADING.test(line) ? SECTION.heading : SECTION.text
  }
}
