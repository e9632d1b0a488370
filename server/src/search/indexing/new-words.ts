import type { KnownWords } from '../lexicon/known-words.ts'
import type { Vocabulary } from '../lexicon/vocabulary.ts'
import { createWordTable, MOST_WORDS } from '../lexicon/word-table.ts'
import type { SkillText } from '../text/skill-text.ts'
import { unmeasured } from './prose.ts'
import { createSkillReader } from './read-skill.ts'

/** A skill whose new words are counted bit by bit. */
export interface NewWordCount {
  /** Counts on for about two milliseconds; gives the number when all is counted. */
  step(): number | undefined
}

/** Counts the distinct words that a skill would bring into the vocabulary, which stays as it is. */
export function countNewWords(vocabulary: Vocabulary, skill: SkillText): NewWordCount {
  const fresh = createWordTable()
  const known: KnownWords = {
    get count() {
      return fresh.count
    },
    lastStop: vocabulary.lastStop,
    lastFiller: vocabulary.lastFiller,
    intern(word) {
      const found = vocabulary.find(word)
      // Above every number that the vocabulary may give meanwhile.
      return found === 0 ? MOST_WORDS + fresh.add(word) : found
    },
    text: (word) => (word > MOST_WORDS ? fresh.text(word - MOST_WORDS) : vocabulary.text(word)),
  }
  const reading = createSkillReader(known, () => unmeasured).begin(skill)
  return { step: () => (reading.step() ? fresh.count : undefined) }
}
