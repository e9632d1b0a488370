import { stem } from 'porter2'
import { STOP_WORDS } from './stop-words.ts'

/** Exceptions to Porter2. */
const EXCEPTIONS = new Map([['menus', 'menu']])
// "DoS" and "UPS" are not plurals of stop words.
for (const word of STOP_WORDS) EXCEPTIONS.set(`${word}s`, `${word}s`)
// Singulars that end in s.
for (const one of 'alias atlas bias bus canvas gas ios news opus os plus saas'.split(' ')) {
  EXCEPTIONS.set(one, one)
  EXCEPTIONS.set(`${one}es`, one)
}

/** Words that are stemmed. */
export const ENGLISH = /^[a-z\d]{3,}$/

/** Returns the stem of a folded, lower-case word. Words of other scripts are their own stem. */
export function stemOf(word: string): string {
  if (!ENGLISH.test(word)) return word
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  // Do not conflate "organization" with "organ".
  if (/^organi[sz]/.test(word)) return 'organiz'
  // "lens" and "lenses", "dns" and "dnses" share a stem
  return stem(singularOf(word)).replace(/(?<=[^aeiouys])s$/, '')
}

/** Short singulars that end in s: "css", "class". */
const SINGULAR = /(?:^.s|[aeiouy]s|.[aeiouy].+u|ie)s$/

/** Removes the plural s of acronyms that Porter2 leaves: "gpus", "prs", "ndas", "dnses". */
function singularOf(word: string): string {
  if (/[^aeiouy]ses$/.test(word)) return word.slice(0, -2)
  const isAcronym = word.length <= 5 && word.endsWith('s') && !SINGULAR.test(word)
  return isAcronym ? word.slice(0, -1) : word
}
