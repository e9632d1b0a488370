import { SECTION } from '@skillpass/server/registry/resolve/forward'
import { createSkillReader } from '@skillpass/server/registry/resolve/read-skill'
import { createVocabulary } from '@skillpass/server/registry/resolve/vocabulary'
import { readSkills } from './resolve-data.ts'

/** Prints the words of server/src/registry/resolve/common-words.ts: the commonest that have places. */

const MOST = 176

const vocabulary = createVocabulary()
const reader = createSkillReader(vocabulary)
const times = new Map<number, number>()
for (const skill of readSkills()) {
  const { words, ends } = reader.read(skill)
  for (const word of words.subarray(0, ends[SECTION.text])) {
    if (word > vocabulary.lastFiller) times.set(word, (times.get(word) ?? 0) + 1)
  }
}
const commonest = [...times].sort(([, a], [, b]) => b - a).slice(0, MOST)
console.log(
  commonest
    .map(([word]) => vocabulary.text(word))
    .sort()
    .join(' '),
)
