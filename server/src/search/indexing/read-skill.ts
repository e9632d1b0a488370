import { LENGTH, LENGTHS, MOST_DISTINCT_WORDS, TEXT_POSITIONS } from '../constants/constants.ts'
import { GAP, type ReadSkill, SECTION, SECTIONS } from '../document/forward-index.ts'
import type { KnownWords } from '../lexicon/known-words.ts'
import { extendPhrase, NO_PHRASE } from '../text/hashed-word.ts'
import { createScanner, END, LINE, PART, WORD } from '../text/scanner.ts'
import {
  CODE_LINE,
  HEADING_LINE,
  lineKind,
  type SkillText,
  splitDescription,
  TEXT_LINE,
} from '../text/skill-text.ts'
import { createLineReader, PART_FLAG } from './line-reader.ts'
import { createProseMeter, type ProseMeter } from './prose.ts'
import { append, appendAll, createDistinctWords, createWordList, reserve } from './word-list.ts'

/** A skill that is read bit by bit, in buffers of its own. */
export interface ReadingSteps {
  /** Reads on for about two milliseconds; gives the skill when all is read. */
  step(): ReadSkill | undefined
}

export interface SkillReader {
  /** Reads all at once: some 100 µs, but 50 ms for 256 KiB of Chinese. */
  read(skill: SkillText): ReadSkill
  /** For a skill that may take long: the caller lets others run between the steps. */
  begin(skill: SkillText): ReadingSteps
}

/** A readme of nothing but headings would else make a sequence of a megabyte. */
const MOST_HEADINGS = 4096

/** The cost of a step, in bytes of English. */
const STEP = 100_000
/** The cost of a byte beyond ASCII and of a new word, in bytes of English that take as long. */
const FOREIGN_BYTE = 16
const NEW_WORD = 64

/** Meters measure one skill at a time; their tables are as long as the vocabulary, so they are used again. */
export function createSkillReader(
  vocabulary: KnownWords,
  makeMeter = () => createProseMeter(vocabulary),
): SkillReader {
  let whole: ReturnType<typeof createReading> | undefined
  const idle: ProseMeter[] = []
  return {
    read(skill) {
      whole ??= createReading(vocabulary, makeMeter())
      whole.begin(skill)
      whole.readme(Number.POSITIVE_INFINITY)
      return whole.finish()
    },
    begin(skill) {
      const meter = idle.pop() ?? makeMeter()
      const reading = createReading(vocabulary, meter)
      reading.begin(skill)
      return {
        step() {
          if (!reading.readme(STEP)) return undefined
          const read = reading.finish()
          idle.push(meter)
          return read
        },
      }
    },
  }
}

function createReading(vocabulary: KnownWords, meter: ProseMeter) {
  const scanner = createScanner()
  const lines = createLineReader(scanner, vocabulary)
  const all = createWordList()
  const parts = createWordList()
  const headings = createWordList()
  const text = createWordList()
  const loose = createWordList()
  const code = createWordList()
  const distinct = createDistinctWords([all, headings, text, loose, code])
  const lengths = new Uint32Array(LENGTHS)
  const fence = { mark: 0, length: 0 }
  let line = 0
  const result: ReadSkill = {
    words: all.words,
    ends: new Uint32Array(SECTIONS),
    lengths,
    nameHash: 0,
    prose: 255,
  }
  return { begin, readme, finish }

  function begin(skill: SkillText): void {
    for (const list of [all, headings, text, loose, code]) list.length = 0
    distinct.clear()
    lengths.fill(0)
    meter.begin()
    // parts of "GitHub" in a name would make "github" only a third of it
    result.nameHash = head(skill.name, SECTION.name, false)
    const nameLength = lengths[LENGTH.name] as number
    // a slug that only repeats the name is no second piece of evidence
    if (head(skill.slug, SECTION.slug, true) === result.nameHash) {
      all.length = result.ends[SECTION.slug] = result.ends[SECTION.name] as number
      lengths[LENGTH.name] = nameLength
    }
    head(skill.tags.join('\n'), SECTION.tags, true)
    const { purpose, aside } = splitDescription(skill.description)
    head(purpose, SECTION.description, true)
    head(aside, SECTION.aside, true)
    const length = scanner.open(skill.readme)
    fence.mark = 0
    line = lineKind(scanner.source, 0, length, fence)
  }

  /** Reads a section of the head; gives the hash of its words. */
  function head(words: string, section: number, camel: boolean): number {
    const length = LENGTH_OF_HEAD[section] as number
    let phrase = NO_PHRASE
    parts.length = 0
    scanner.open(words)
    for (let token = scanner.next(camel); token !== END; token = scanner.next(camel)) {
      if (token !== WORD && token !== PART) continue
      const word = vocabulary.intern(scanner)
      if (length >= 0) lengths[length] = (lengths[length] as number) + 1
      if (token === PART) append(parts, word)
      else {
        append(all, word)
        if (length >= 0) meter.head(word, section === SECTION.slug)
        phrase = extendPhrase(phrase, scanner)
      }
    }
    if (parts.length > 0) {
      append(all, GAP)
      for (let i = 0; i < parts.length; i++) append(all, parts.words[i] as number)
    }
    result.ends[section] = all.length
    return phrase >>> 0
  }

  /**
   * Reads on in the readme until its end or so many distinct words that the rest is left out, or until
   * `most` is done; says whether all is read. Where it ends goes by the text alone, so that every node
   * and every start has the same index, whatever words it knew.
   */
  function readme(most: number): boolean {
    const limit = cost() + most
    while (cost() <= limit) {
      const token = lines.read()
      if (line === HEADING_LINE && headings.length >= MOST_HEADINGS) line = TEXT_LINE
      addLine(lines.entries, lines.count)
      if (token === END || distinct.reach(MOST_DISTINCT_WORDS)) return true
      if (token === LINE) {
        line = lineKind(scanner.source, scanner.place, scanner.sourceLength, fence)
      }
    }
    return false
  }

  /** Adds words of a line to its section. Stop words are too common to be worth a posting. */
  function addLine(entries: Uint32Array, count: number): void {
    meter.line(entries, count, line)
    const { lastStop, lastFiller } = vocabulary
    const length = LENGTH_OF_LINE[line] as number
    lengths[length] = (lengths[length] as number) + count
    if (line === CODE_LINE) {
      reserve(code, count)
      for (let i = 0; i < count; i++) {
        const word = (entries[i] as number) & ~PART_FLAG
        if (word > lastStop) code.words[code.length++] = word
      }
      return
    }
    const list = line === HEADING_LINE ? headings : text
    const most = line === HEADING_LINE ? Number.POSITIVE_INFINITY : TEXT_POSITIONS
    reserve(list, count)
    reserve(loose, count)
    for (let i = 0; i < count; i++) {
      const word = entries[i] as number
      if (word <= lastStop) continue
      if (word > lastFiller && word < PART_FLAG && list.length < most) {
        list.words[list.length++] = word
      } else if ((word & ~PART_FLAG) > lastStop) loose.words[loose.length++] = word & ~PART_FLAG
    }
  }

  function cost(): number {
    return scanner.place + FOREIGN_BYTE * scanner.foreign + NEW_WORD * vocabulary.count
  }

  function finish(): ReadSkill {
    section(headings, SECTION.heading)
    section(text, SECTION.text)
    section(loose, SECTION.loose)
    section(code, SECTION.code)
    result.words = all.words
    result.prose = meter.finish()
    return result
  }

  function section(list: typeof all, of: number): void {
    appendAll(all, list)
    result.ends[of] = all.length
  }
}

/** The length that a section of the head adds to, by SECTION; -1 for asides, which are no evidence. */
const LENGTH_OF_HEAD = [LENGTH.name, LENGTH.name, LENGTH.tags, LENGTH.description, -1]

/** The length that a line adds to, by the line kinds of skill-text.ts. */
const LENGTH_OF_LINE = [LENGTH.heading, LENGTH.text, LENGTH.code]
