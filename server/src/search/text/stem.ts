import { stem } from 'porter2'
import { STOP_WORDS } from './stop-words.ts'

/** Stems of words that Porter2 would cut wrongly. */
const EXCEPTIONS = new Map([['menus', 'menu']])
// "DoS" and "UPS" are no plurals.
for (const word of STOP_WORDS) EXCEPTIONS.set(`${word}s`, `${word}s`)
// Words in s whose plural would have another stem.
for (const one of 'alias atlas bias bus canvas gas ios news opus os plus saas'.split(' ')) {
  EXCEPTIONS.set(one, one)
  EXCEPTIONS.set(`${one}es`, one)
}

/** Words that have a stem, which is of such letters and digits too. */
export const ENGLISH = /^[a-z\d]{3,}$/

/** What all forms of a folded, lower-case word share; a word of another script is its own stem. */
export function stemOf(word: string): string {
  if (!ENGLISH.test(word)) return word
  const exception = EXCEPTIONS.get(word)
  if (exception !== undefined) return exception
  // an organization has nothing to do with organs
  if (/^organi[sz]/.test(word)) return 'organiz'
  // "lens" and "lenses", "dns" and "dnses" have the same stem
  return stem(singularOf(word)).replace(/(?<=[^aeiouys])s$/, '')
}

/** Short words in s that are no plurals: "css", "class". */
const SINGULAR = /(?:^.s|[aeiouy]s|.[aeiouy].+u|ie)s$/

/** Takes the plural off acronyms such as "gpus", "prs", "ndas" and "dnses", which Porter2 leaves. */
function singularOf(word: string): string {
  if (/[^aeiouy]ses$/.test(word)) return word.slice(0, -2)
  const isAcronym = word.length <= 5 && word.endsWith('s') && !SINGULAR.test(word)
  return isAcronym ? word.slice(0, -1) : word
}
