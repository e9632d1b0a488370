import { CONTENT, FILLER, FOREIGN, PARTICLE, type SkillWords } from './skill-words.ts'

/** Word counts of a skill. The head is name, slug, tags and description. */
const NO_COUNTS = {
  /** Content words of name, tags and description, and distinct ones including the slug's. */
  headWords: 0,
  headDistinct: 0,
  /** Distinct head words that also occur in the readme, plus those with non-ASCII letters. */
  headInBody: 0,
  /**
   * Distinct head words with non-ASCII letters. They count half, because many scripts are split
   * into shorter words.
   */
  headForeign: 0,
  /** Function words of other languages in the head. */
  headParticles: 0,
  /** Words of the readme outside code, and distinct ones. */
  bodyWords: 0,
  bodyDistinct: 0,
  /** Readme words outside code that are non-ASCII or function words of other languages. */
  bodyForeign: 0,
  /** Readme words outside code after `MAX_PHRASE` content words in a row. */
  listedWords: 0,
  /** Distinct words in sentences or code of the readme that the head does not have. */
  distinctBeyondHead: 0,
}

type ProseCounts = typeof NO_COUNTS

/** Content words in a row that can be a sentence. Further words are a list. */
const MAX_PHRASE = 8

/** Bits for the places where a word occurred. */
const IN_HEAD = 1
const IN_BODY = 2
const IN_SENTENCE = 4
const IN_TEXT = 8

/**
 * Measures how much of a skill's text is prose, so that word lists do not count as evidence
 * (server/docs/search.md#score). The result depends only on the skill, not on the catalogue.
 */
export function createProseMeter({ kinds }: Pick<SkillWords, 'kinds'>) {
  /** Places by word. */
  const seen: number[] = []
  let run = 0
  const counts = { ...NO_COUNTS }
  return {
    head,
    text,
    code,
    /** Returns the share of the evidence that counts, from 1 (nearly none) to 255 (all). */
    finish: () => Math.max(1, Math.round(255 * proseShareOf(counts))),
  }

  /** Counts a word of the head. Words of the slug do not count as repetition. */
  function head(word: number, isSlug: boolean): void {
    const kind = kinds[word] as number
    if (kind <= FILLER) return
    if (kind === PARTICLE) {
      counts.headParticles++
      return
    }
    if (!isSlug) counts.headWords++
    if (addPlace(word, kind === FOREIGN ? IN_HEAD | IN_BODY : IN_HEAD) !== 0) return
    counts.headDistinct++
    if (kind === FOREIGN) {
      counts.headForeign++
      counts.headInBody++
    }
  }

  /** Counts a word of the readme outside code, or a part of a camelCase word. */
  function text(word: number, isPart: boolean): void {
    const kind = kinds[word] as number
    const isGlue = kind !== CONTENT
    if (!isPart) {
      counts.bodyWords++
      if (kind === PARTICLE || kind === FOREIGN) counts.bodyForeign++
      if (isGlue) run = 0
      else if (++run > MAX_PHRASE) counts.listedWords++
      if ((addPlace(word, IN_TEXT) & IN_TEXT) === 0) counts.bodyDistinct++
    }
    countInReadme(word, isGlue || run <= MAX_PHRASE)
  }

  function code(word: number): void {
    run = 0
    countInReadme(word, true)
  }

  /** Counts an occurrence in the readme. `isInSentence` also holds for code. */
  function countInReadme(word: number, isInSentence: boolean): void {
    if ((kinds[word] as number) <= FILLER) return
    const before = addPlace(word, isInSentence ? IN_BODY | IN_SENTENCE : IN_BODY)
    if ((before & IN_HEAD) !== 0) {
      if ((before & IN_BODY) === 0) counts.headInBody++
    } else if (isInSentence && (before & IN_SENTENCE) === 0) counts.distinctBeyondHead++
  }

  /** Adds a place to a word. Returns its previous places. */
  function addPlace(word: number, where: number): number {
    const before = seen[word] ?? 0
    seen[word] = before | where
    return before
  }
}

/** Head words that need no readme, and readme words that allow one more head word. */
const FREE_TOPICS = 24
const README_WORDS_PER_TOPIC = 4
const BREADTH_POWER = 8

function breadth({ headDistinct, headForeign, distinctBeyondHead }: ProseCounts): number {
  const topics =
    (headDistinct - headForeign / 2) / (FREE_TOPICS + distinctBeyondHead / README_WORDS_PER_TOPIC)
  return topics <= 1 ? 1 : topics ** -BREADTH_POWER
}

const headRepetition = ({ headWords, headDistinct }: ProseCounts): number =>
  headWords < 16 ? 1 : linearFalloff(headWords / headDistinct, 2.5, 5)

/** Expected distinct words grow with the length to this power (Heaps' law). */
const HEAPS = 0.7
const MAX_EXPECTED_WORDS = 4096

function repetition({ bodyWords, bodyDistinct }: ProseCounts): number {
  if (bodyWords < 40) return 1
  return (
    1 - linearFalloff(bodyDistinct / Math.min(bodyWords, MAX_EXPECTED_WORDS) ** HEAPS, 0.8, 1.4)
  )
}

const listing = ({ bodyWords, listedWords }: ProseCounts): number =>
  listedWords < 16 ? 1 : linearFalloff(listedWords / bodyWords, 0.55, 0.8)

/** `support` does not apply to shorter readmes, nor to texts in several languages. */
const MIN_README_WORDS = 60
const MAX_PARTICLES = 2
const MAX_FOREIGN_SHARE = 1 / 8

/** Penalizes a readme that lacks the head's words. */
function support(counts: ProseCounts): number {
  const { headDistinct, headInBody, headParticles, bodyWords, bodyForeign } = counts
  if (headDistinct < 3 || bodyWords < MIN_README_WORDS) return 1
  if (headParticles > MAX_PARTICLES || bodyForeign > MAX_FOREIGN_SHARE * bodyWords) return 1
  return 1 - linearFalloff(headInBody / headDistinct, 0.15, 0.33)
}

/** Distinct words beyond the head from which a readme has full substance. */
const FULL_SUBSTANCE = 40
const MIN_SUBSTANCE = 0.7

const substance = ({ distinctBeyondHead }: ProseCounts): number =>
  MIN_SUBSTANCE + (1 - MIN_SUBSTANCE) * Math.min(1, distinctBeyondHead / FULL_SUBSTANCE)

/** Falls linearly from 1 at `from` to 0 at `to`. */
const linearFalloff = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (to - value) / (to - from)))

/** Factors of the prose share. Each is 1 for about 99 of 100 public skills. */
const SHARES = [breadth, headRepetition, repetition, listing, support, substance]

const proseShareOf = (counts: ProseCounts): number =>
  SHARES.reduce((product, share) => product * share(counts), 1)
