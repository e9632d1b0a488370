import {
  LENGTH,
  LENGTH_FIELDS,
  MAX_DISTINCT_WORDS,
  TEXT_POSITIONS,
} from '../constants/constants.ts'
import { GAP, type ReadSkill, SECTION, SECTIONS } from '../document/forward-index.ts'
import { hashOf } from '../text/hash.ts'
import {
  CODE_LINE,
  createLineKinds,
  HEADING_LINE,
  type SkillText,
  splitDescription,
} from '../text/skill-text.ts'
import { phraseOf, tokensOf } from '../text/words.ts'
import { createProseMeter } from './prose.ts'
import { createSkillWords, FILLER, type SkillToken, STOP } from './skill-words.ts'

/** A short word and a particle, which are often one word: "log in", "back-up". */
const PHRASAL = /^([a-z]{2,6}) ((?:up|in|out|off|down)s?|on|over)$/

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
  const sections = Array.from({ length: SECTIONS }, (): number[] => [])
  const lengths = new Uint32Array(LENGTH_FIELDS)
  const phrasal: number[] = []
  const name = phraseOf(skill.name)
  // "github" would match only a third of the name "GitHub" with its parts
  readHead(skill.name, SECTION.name, LENGTH.name, false)
  // A slug that repeats the name adds no evidence.
  if (phraseOf(skill.slug) !== name) readHead(skill.slug, SECTION.slug, LENGTH.name)
  readHead(skill.tags.join('\n'), SECTION.tags, LENGTH.tags)
  const { purpose, aside } = splitDescription(skill.description)
  readHead(purpose, SECTION.description, LENGTH.description)
  // A skill that says "log in" also has the word "login".
  ;(sections[SECTION.description] as number[]).push(GAP, ...phrasal)
  // Only search matches the excluded uses, so they have no length.
  readHead(aside, SECTION.aside)
  const kindOf = createLineKinds()
  const bytes = Buffer.from(skill.readme)
  let letters = 0
  for (let from = 0, end = 0; from < bytes.length && !isFull(); from = end) {
    const newline = bytes.indexOf(NEWLINE, from)
    end = newline < 0 ? bytes.length : newline + 1
    // Lines are decoded one by one, because regular expressions are much faster on pure ASCII
    // lines.
    const line = bytes.toString('utf8', from, end)
    const kind = kindOf(line)
    for (const piece of piecesOf(line)) {
      addPiece(piece, kind)
      letters += piece.length
      if (letters < STEP) continue
      yield
      letters = 0
    }
  }
  return {
    words: words.texts,
    sections,
    lengths,
    nameHash: hashOf(name),
    prose: meter.finish(),
  }

  function readHead(text: string, section: number, length = -1, camel = true): void {
    const target = sections[section] as number[]
    const parts: number[] = []
    for (const token of tokensOf(text)) {
      const before = words.texts[target.at(-1) ?? 0]
      const read = words.read(token)
      const phrase = PHRASAL.exec(`${before} ${words.texts[read.words[0] ?? 0]}`)
      if (phrase) phrasal.push(...words.read(`${phrase[1]}${phrase[2]}`).words)
      target.push(...read.words)
      if (camel) parts.push(...read.parts)
    }
    if (length >= 0) {
      for (const word of target) meter.head(word, section === SECTION.slug)
      lengths[length] = (lengths[length] as number) + target.length + parts.length
    }
    if (parts.length > 0) target.push(GAP, ...parts)
  }

  function addPiece(piece: string, line: number): void {
    for (const token of tokensOf(piece)) if (!isFull()) addToken(words.read(token), line)
  }

  function isFull(): boolean {
    return words.contentCount >= MAX_DISTINCT_WORDS
  }

  /** Adds the words of a token to the section of its line. Stop words are not indexed. */
  function addToken(token: SkillToken, line: number): void {
    const length = LENGTH_OF_LINE[line] as number
    lengths[length] = (lengths[length] as number) + token.words.length + token.parts.length
    const isCode = line === CODE_LINE
    const [code, loose] = [sections[SECTION.code] as number[], sections[SECTION.loose] as number[]]
    const positioned = sections[line === HEADING_LINE ? SECTION.heading : SECTION.text] as number[]
    const limit = line === HEADING_LINE ? MAX_HEADING_WORDS : TEXT_POSITIONS
    for (const word of token.words) {
      if (isCode) meter.code(word)
      else meter.text(word, false)
      const kind = kinds[word] as number
      if (kind === STOP) continue
      if (isCode) code.push(word)
      else if (kind !== FILLER && positioned.length < limit) positioned.push(word)
      else loose.push(word)
    }
    for (const part of token.parts) {
      if (isCode) meter.code(part)
      else meter.text(part, true)
      if (kinds[part] !== STOP) (isCode ? code : loose).push(part)
    }
  }
}

const LENGTH_OF_LINE = [LENGTH.heading, LENGTH.text, LENGTH.code]

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
