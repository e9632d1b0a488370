import { LENGTH } from './constants.ts'
import { BREAK, WIDE } from './documents.ts'
import { grown } from './growth.ts'
import { lengthCode, STRIDE } from './lengths.ts'
import type { PairCounts } from './pairs.ts'
import { FIELD, FIELDS } from './payload.ts'
import { eachLine, type SkillText, splitDescription } from './skill-text.ts'
import { createScanner, phraseHash } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A skill read into numbers. The arrays are the reader's own and hold until the next `read`. */
export interface ReadSkill {
  /** The distinct words, and for each of them `FIELDS` counts. */
  words: Uint32Array
  wordCount: number
  counts: Uint16Array
  codes: Uint8Array
  sequence: Uint16Array
  sequenceLength: number
  /** The distinct slots of adjacent content stems. */
  pairSlots: Uint32Array
  pairCount: number
  nameHash: number
}

export interface Reader {
  read(skill: SkillText): ReadSkill
  /** The words and pairs of a stored sequence again, for taking it out; counts are not restored. */
  recall(sequence: Uint16Array, start: number, end: number): ReadSkill
}

/** A readme of nothing but short words would else make a sequence of a megabyte. */
const MOST_POSITIONS = 60_000

export function createReader(vocabulary: Vocabulary, pairs: PairCounts): Reader {
  const scanner = createScanner()
  /** The place of a word among the distinct words of this skill, plus one. */
  let placeOf = new Uint32Array(1024)
  const totals = new Uint32Array(6)
  const result: ReadSkill = {
    words: new Uint32Array(1024),
    wordCount: 0,
    counts: new Uint16Array(1024 * FIELDS),
    codes: new Uint8Array(STRIDE),
    sequence: new Uint16Array(4096),
    sequenceLength: 0,
    pairSlots: new Uint32Array(1024),
    pairCount: 0,
    nameHash: 0,
  }
  const distinctPairs = createSlotSet(result)
  let field: number = FIELD.name
  let lastStem = 0
  /** Parts of camelCase words wait for the section's end, so that they part no neighbours. */
  const parts: number[] = []
  /** The text's content words, until the headings are all read. */
  let body = new Uint32Array(4096)
  let bodyLength = 0
  const bodyParts: number[] = []
  return { read, recall }

  function read(skill: SkillText): ReadSkill {
    begin()
    section(skill.name, FIELD.name)
    result.nameHash = phraseHash(scanner, skill.name)
    // a slug that only repeats the name is no second piece of evidence
    const repeats = phraseHash(scanner, skill.slug) === result.nameHash
    section(repeats ? '' : skill.slug, FIELD.slug)
    section(skill.tags.join('\n'), FIELD.tags)
    const { purpose, aside } = splitDescription(skill.description)
    section(purpose, FIELD.description)
    section(aside, FIELD.aside)
    readme(skill.readme)
    for (let i = 0; i < totals.length; i++) result.codes[i] = lengthCode(totals[i] as number)
    return finish()
  }

  function recall(sequence: Uint16Array, start: number, end: number): ReadSkill {
    begin()
    field = FIELD.name
    for (let i = start; i < end; i++) {
      let word = sequence[i] as number
      if (word === BREAK) {
        field++
        lastStem = 0
        continue
      }
      if (word >= WIDE) word = ((word - WIDE) << 16) | (sequence[++i] as number)
      placeFor(word)
      if (word > vocabulary.lastFiller && PAIRED[field] === 1) pair(word)
    }
    return finish()
  }

  function begin(): void {
    result.counts.fill(0, 0, result.wordCount * FIELDS)
    result.wordCount = result.sequenceLength = result.pairCount = 0
    totals.fill(0)
    distinctPairs.clear()
    lastStem = 0
  }

  function finish(): ReadSkill {
    for (let i = 0; i < result.wordCount; i++) placeOf[result.words[i] as number] = 0
    return result
  }

  function section(text: string, of: number): void {
    field = of
    lastStem = 0
    // parts of "GitHub" in a name would make "github" only a third of it
    scanner.scan(text, of !== FIELD.name, metaWord)
    endSection(of)
  }

  function endSection(of: number): void {
    for (const word of parts) {
      position(word)
      if (word > vocabulary.lastFiller && PAIRED[of] === 1) pair(word)
    }
    parts.length = 0
    unit(BREAK)
  }

  /** Headings, then text, each a section of content words; then every other word of the readme once. */
  function readme(text: string): void {
    bodyLength = 0
    lastStem = 0
    const length = scanner.open(text)
    eachLine(scanner.source, length, readLine)
    endSection(FIELD.heading)
    lastStem = 0
    for (let i = 0; i < bodyLength; i++) {
      const word = body[i] as number
      position(word)
      pair(word)
    }
    for (const word of bodyParts) parts.push(word)
    bodyParts.length = 0
    endSection(FIELD.text)
    for (let i = 0; i < result.wordCount; i++) {
      if (!inSequence(i)) position(result.words[i] as number)
    }
  }

  function readLine(from: number, to: number, kind: number): void {
    field = FIELD_OF_LINE[kind] as number
    scanner.range(from, to, true, readmeWord)
  }

  /** Whether the word stands in an earlier section: as any word of the head, or as content. */
  function inSequence(place: number): boolean {
    const at = place * FIELDS
    const { counts } = result
    for (let of = 0; of < FIELD.heading; of++) if ((counts[at + of] as number) > 0) return true
    const content = (result.words[place] as number) > vocabulary.lastFiller
    return (
      content && (counts[at + FIELD.heading] as number) + (counts[at + FIELD.text] as number) > 0
    )
  }

  function metaWord(): void {
    const word = vocabulary.intern(scanner)
    count(word)
    if (scanner.part) {
      parts.push(word)
      return
    }
    position(word)
    if (word > vocabulary.lastFiller && PAIRED[field] === 1) pair(word)
  }

  function readmeWord(): void {
    const word = vocabulary.intern(scanner)
    // the rest of an over-long readme is evidence, but has no positions
    if (bodyLength + result.sequenceLength > MOST_POSITIONS) field = FIELD.code
    if (word <= vocabulary.lastStop) {
      // too common to be worth a posting, but part of the length
      totals[field - 2] = (totals[field - 2] as number) + 1
      return
    }
    count(word)
    if (word <= vocabulary.lastFiller || field === FIELD.code) return
    if (field === FIELD.heading) {
      if (scanner.part) parts.push(word)
      else {
        position(word)
        pair(word)
      }
    } else if (scanner.part) bodyParts.push(word)
    else {
      if (bodyLength >= body.length) body = grown(body, bodyLength + 1, Uint32Array)
      body[bodyLength++] = word
    }
  }

  function placeFor(word: number): number {
    if (word >= placeOf.length) placeOf = grown(placeOf, word + 1, Uint32Array)
    const known = placeOf[word] as number
    if (known !== 0) return known - 1
    const place = result.wordCount++
    placeOf[word] = place + 1
    if (place >= result.words.length) {
      result.words = grown(result.words, place + 1, Uint32Array)
      result.counts = grown(result.counts, result.words.length * FIELDS, Uint16Array)
    }
    result.words[place] = word
    return place
  }

  function count(word: number): void {
    const at = placeFor(word) * FIELDS + field
    if ((result.counts[at] as number) < 0xffff)
      result.counts[at] = (result.counts[at] as number) + 1
    const length = LENGTH_OF_FIELD[field] as number
    if (length >= 0) totals[length] = (totals[length] as number) + 1
  }

  function position(word: number): void {
    if (word < WIDE) unit(word)
    else {
      unit(WIDE + (word >>> 16))
      unit(word & 0xffff)
    }
  }

  function unit(value: number): void {
    const at = result.sequenceLength++
    if (at >= result.sequence.length) result.sequence = grown(result.sequence, at + 1, Uint16Array)
    result.sequence[at] = value
  }

  function pair(word: number): void {
    const stem = vocabulary.group[word] as number
    if (lastStem !== 0 && lastStem !== stem) {
      const { hash } = vocabulary
      distinctPairs.add(pairs.slot(hash[lastStem] as number, hash[stem] as number))
    }
    lastStem = stem
  }
}

/** Which length a field adds to, by FIELD; -1 for asides, which are no evidence. */
const LENGTH_OF_FIELD = [
  LENGTH.name,
  LENGTH.name,
  LENGTH.tags,
  LENGTH.description,
  -1,
  LENGTH.heading,
  LENGTH.text,
  LENGTH.code,
]

/** By the line kinds of skill-text.ts. */
const FIELD_OF_LINE = [FIELD.heading, FIELD.text, FIELD.code]

/** Sections whose neighbours make pairs, by FIELD. */
const PAIRED = [1, 1, 0, 1, 0, 1, 1, 0]

/** The distinct slots of one document, kept in `result.pairSlots`. */
function createSlotSet(result: ReadSkill): { add(slot: number): void; clear(): void } {
  let table = new Uint32Array(4096)
  return { add, clear }

  function clear(): void {
    table.fill(0)
  }

  function add(slot: number): void {
    if (!insert(slot)) return
    const at = result.pairCount++
    result.pairSlots = grown(result.pairSlots, at + 1, Uint32Array)
    result.pairSlots[at] = slot
    if (result.pairCount * 2 < table.length) return
    table = new Uint32Array(table.length * 2)
    for (let i = 0; i < result.pairCount; i++) insert(result.pairSlots[i] as number)
  }

  function insert(slot: number): boolean {
    const mask = table.length - 1
    let at = Math.imul(slot, 0x9e3779b1) & mask
    for (;;) {
      const held = table[at] as number
      if (held === slot + 1) return false
      if (held === 0) {
        table[at] = slot + 1
        return true
      }
      at = (at + 1) & mask
    }
  }
}
