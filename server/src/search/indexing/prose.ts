import { CONTENT, FILLER, FOREIGN, PARTICLE, type SkillWords } from './skill-words.ts'

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

/**
 * How far the words of a skill stand in prose, so that lists of words are no evidence of what a skill
 * does (server/docs/search.md#score). It looks at the skill alone, so that it is the same in a
 * catalogue of 20 and of a million.
 */
export function createProseMeter({ kinds }: Pick<SkillWords, 'kinds'>) {
  /** By word: where in the skill it was seen. */
  const seen: number[] = []
  let run = 0
  const counts: ProseCounts = {
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
  return {
    head,
    text,
    code,
    /** What the skill's words count, from 1 to 255: nearly nothing, and in full. */
    finish: () => Math.max(1, Math.round(255 * proseOf(counts))),
  }

  /** A word of name, tags or description; of the slug it is no repetition. */
  function head(word: number, isSlug: boolean): void {
    const kind = kinds[word] as number
    if (kind <= FILLER) return
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

  /** A word of the readme outside code, or a part of a camelCase one. */
  function text(word: number, isPart: boolean): void {
    const kind = kinds[word] as number
    const isGlue = kind !== CONTENT
    if (!isPart) {
      counts.bodyWords++
      if (kind === PARTICLE || kind === FOREIGN) counts.bodyForeign++
      if (isGlue) run = 0
      else if (++run > LONGEST_PHRASE) counts.listed++
      if ((note(word, IN_LINES) & IN_LINES) === 0) counts.bodyDistinct++
    }
    meet(word, isGlue || run <= LONGEST_PHRASE)
  }

  /** A word of code. */
  function code(word: number): void {
    run = 0
    meet(word, true)
  }

  /** A word in the readme, and whether it stands in a sentence or in code. */
  function meet(word: number, backs: boolean): void {
    if ((kinds[word] as number) <= FILLER) return
    const before = note(word, backs ? IN_BODY | IN_BACKING : IN_BODY)
    if ((before & IN_HEAD) !== 0) {
      if ((before & IN_BODY) === 0) counts.headInBody++
    } else if (backs && (before & IN_BACKING) === 0) counts.backing++
  }

  /** Notes where a word was seen; gives where it had been. */
  function note(word: number, where: number): number {
    const before = seen[word] ?? 0
    seen[word] = before | where
    return before
  }
}

/** What is left of a skill's words by each of the ways in which words may say nothing: 1 for about 99 of 100 public skills. */
const SHARES = [breadth, headRepetition, repetition, listing, support, substance]

const proseOf = (counts: ProseCounts): number =>
  SHARES.reduce((product, share) => product * share(counts), 1)

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
