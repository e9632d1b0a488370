import { grown } from '../document/growth.ts'
import type { KnownWords } from '../lexicon/known-words.ts'
import { CODE_LINE } from '../text/skill-text.ts'
import { PARTICLES } from '../text/stop-words.ts'
import { PART_FLAG } from './line-reader.ts'

/**
 * How far the words of a skill stand in prose, so that lists of words are no evidence of what a skill
 * does (server/docs/search/ranking.md, "Prose"). It looks at the skill alone, so that it is the same in a
 * catalogue of 20 and of a million.
 */
export interface ProseMeter {
  /** Counts of the skill that is measured. */
  readonly counts: ProseCounts
  begin(): void
  /** A word of name, tags or description; of the slug it is no repetition. */
  head(word: number, isSlug: boolean): void
  /** The words of a line of the readme, camelCase parts with `PART_FLAG`, by its kind (skill-text.ts). */
  line(entries: Uint32Array, count: number, kind: number): void
  /** What the skill's words count, from 1 to 255: nearly nothing, and in full. */
  finish(): number
}

/** What was counted of a skill. */
export interface ProseCounts {
  /** Content words of name, tags and description, and how many distinct ones with the slug's. */
  headWords: number
  headDistinct: number
  /** Distinct words that the readme has too, or in a script that it may not be written in. */
  headInBody: number
  /** Distinct words beyond ASCII: many scripts are cut into shorter words. */
  headForeign: number
  /** Function words of other languages than English in name, tags and description. */
  headParticles: number
  /** Words of the readme outside code, and how many distinct ones. */
  bodyWords: number
  bodyDistinct: number
  /** Words outside code of other languages than English. */
  bodyForeign: number
  /** Words outside code that come late in a run without a function word. */
  listed: number
  /** Distinct words, besides those of the head, in sentences or code of the readme. */
  backing: number
}

/** Content words in a row that may be a sentence's; what comes after them is a list's. */
const LONGEST_PHRASE = 8

/** Where a word was seen. */
const IN_HEAD = 1
const IN_BODY = 2
const IN_BACKING = 4
const IN_LINES = 8
const BITS = 16

const UNKNOWN = 0
const CONTENT = 1
/** Kinds from here on hold sentences together. */
const GLUE = 2
const PARTICLE = 3
const FOREIGN = 4

const NONE: ProseCounts = {
  headWords: 0,
  headDistinct: 0,
  headInBody: 0,
  headForeign: 0,
  headParticles: 0,
  bodyWords: 0,
  bodyDistinct: 0,
  bodyForeign: 0,
  listed: 0,
  backing: 0,
}

/** A meter that measures nothing, for readers that only want words. */
export const unmeasured: ProseMeter = {
  counts: NONE,
  begin() {},
  head() {},
  line() {},
  finish: () => 255,
}

export function createProseMeter(vocabulary: KnownWords): ProseMeter {
  /** By word: whether it holds sentences together. Words beyond ASCII are taken to: many scripts have no stop words here. */
  let kinds = new Uint8Array(1024)
  /** By word: the number of the skill, times `BITS`, and where in it the word was seen. */
  let seen = new Uint32Array(1024)
  let skill = 0
  let run = 0
  const counts: ProseCounts = { ...NONE }
  return { counts, begin, head, line, finish: () => gradeOf(counts) }

  function begin(): void {
    skill += BITS
    if (skill > 0xffffffff - BITS) {
      seen.fill(0)
      skill = BITS
    }
    run = 0
    Object.assign(counts, NONE)
  }

  function reach(): void {
    const words = vocabulary.count + 1
    kinds = grown(kinds, words, Uint8Array)
    seen = grown(seen, words, Uint32Array)
  }

  function head(word: number, isSlug: boolean): void {
    if (word <= vocabulary.lastFiller) return
    reach()
    const kind = kindOf(word)
    if (kind === PARTICLE) {
      counts.headParticles++
      return
    }
    if (!isSlug) counts.headWords++
    if (note(word, kind === FOREIGN ? IN_HEAD | IN_BODY : IN_HEAD) !== 0) return
    counts.headDistinct++
    if (kind === FOREIGN) {
      counts.headForeign++
      counts.headInBody++
    }
  }

  function line(entries: Uint32Array, count: number, kind: number): void {
    reach()
    if (kind === CODE_LINE) {
      run = 0
      for (let i = 0; i < count; i++) {
        const word = (entries[i] as number) & ~PART_FLAG
        if (word > vocabulary.lastFiller) meet(word, true)
      }
      return
    }
    for (let i = 0; i < count; i++) {
      const entry = entries[i] as number
      const word = entry & ~PART_FLAG
      const kind = kindOf(word)
      const isGlue = kind >= GLUE
      if (entry < PART_FLAG) {
        counts.bodyWords++
        if (kind >= PARTICLE) counts.bodyForeign++
        if (isGlue) run = 0
        else if (++run > LONGEST_PHRASE) counts.listed++
        if ((note(word, IN_LINES) & IN_LINES) === 0) counts.bodyDistinct++
      }
      if (word > vocabulary.lastFiller) meet(word, isGlue || run <= LONGEST_PHRASE)
    }
  }

  /** A content word in the readme, and whether it stands in a sentence or in code. */
  function meet(word: number, backs: boolean): void {
    const before = note(word, backs ? IN_BODY | IN_BACKING : IN_BODY)
    if ((before & IN_HEAD) !== 0) {
      if ((before & IN_BODY) === 0) counts.headInBody++
    } else if (backs && (before & IN_BACKING) === 0) counts.backing++
  }

  /** Notes where a word was seen; gives where it had been. */
  function note(word: number, where: number): number {
    const before = seen[word] as number
    const bits = before < skill ? 0 : before - skill
    seen[word] = skill + (bits | where)
    return bits
  }

  function kindOf(word: number): number {
    const known = kinds[word] as number
    if (known !== UNKNOWN) return known
    const kind = readKind(word)
    kinds[word] = kind
    return kind
  }

  function readKind(word: number): number {
    if (word <= vocabulary.lastFiller) return GLUE
    const text = vocabulary.text(word)
    if (PARTICLES.has(text)) return PARTICLE
    return isForeign(text) ? FOREIGN : CONTENT
  }
}

function isForeign(word: string): boolean {
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) > 127) return true
  return false
}

/** What is left of a skill's words by each of the ways in which words may say nothing, from 0 to 1. */
export interface ProseShares {
  breadth: number
  headRepetition: number
  repetition: number
  listing: number
  support: number
  substance: number
}

/** Each is 1 for about 99 of 100 public skills. */
export const proseShares = (counts: ProseCounts): ProseShares => ({
  breadth: breadth(counts),
  headRepetition: headRepetition(counts),
  repetition: repetition(counts),
  listing: listing(counts),
  support: support(counts),
  substance: substance(counts),
})

const proseOf = (counts: ProseCounts): number =>
  Object.values(proseShares(counts)).reduce((product, share) => product * share, 1)

const gradeOf = (counts: ProseCounts): number => Math.max(1, Math.round(255 * proseOf(counts)))

/** More topics than the readme tells of: a head may have so many words, and one more for every four. */
const FREE_TOPICS = 24
const WORDS_A_TOPIC = 4
const BREADTH_POWER = 8

function breadth({ headDistinct, headForeign, backing }: ProseCounts): number {
  const topics = (headDistinct - headForeign / 2) / (FREE_TOPICS + backing / WORDS_A_TOPIC)
  return topics <= 1 ? 1 : topics ** -BREADTH_POWER
}

/** Repetition in name, tags and description: how often each word stands there. */
function headRepetition({ headWords, headDistinct }: ProseCounts): number {
  return headWords < 16 ? 1 : falling(headWords / headDistinct, 2.5, 5)
}

/** Repetition in the readme: distinct words grow as the length to the power of about 0.7 (Heaps). */
const HEAPS = 0.7
/** Longer readmes may repeat more. */
const MOST_EXPECTED = 4096

function repetition({ bodyWords, bodyDistinct }: ProseCounts): number {
  if (bodyWords < 40) return 1
  return 1 - falling(bodyDistinct / Math.min(bodyWords, MOST_EXPECTED) ** HEAPS, 0.8, 1.4)
}

/** Words without sentences. */
function listing({ bodyWords, listed }: ProseCounts): number {
  return listed < 16 ? 1 : falling(listed / bodyWords, 0.55, 0.8)
}

/** Shorter readmes may tell of anything, and one in another language than name and description, too. */
const TELLING = 60
const MOST_PARTICLES = 2
const MOST_FOREIGN = 1 / 8

/** A readme about something else than name, tags and description. */
function support(counts: ProseCounts): number {
  const { headDistinct, headInBody, headParticles, bodyWords, bodyForeign } = counts
  if (headDistinct < 3 || bodyWords < TELLING) return 1
  if (headParticles > MOST_PARTICLES || bodyForeign > MOST_FOREIGN * bodyWords) return 1
  return 1 - falling(headInBody / headDistinct, 0.15, 0.33)
}

/** A readme that tells so much besides its head is a skill; one that says it again is a claim. */
const ENOUGH_BACKING = 40
const LEAST_SUBSTANCE = 0.7

function substance({ backing }: ProseCounts): number {
  return LEAST_SUBSTANCE + (1 - LEAST_SUBSTANCE) * Math.min(1, backing / ENOUGH_BACKING)
}

/** 1 up to `from`, 0 from `to` on. */
const falling = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (to - value) / (to - from)))
