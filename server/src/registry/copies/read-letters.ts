import { ASCII_LETTERS, letterOf, M, NOTHING, SEPARATOR, TWICE, W } from './letters.ts'
import { createMarkup, MARKUP } from './markup.ts'

/** Grows to the longest text; one for all, since a text is done with before the next is read. */
let letters = new Uint32Array(2 ** 16)

/**
 * A readme's letters and digits without what parts them, valid until the next call: without case,
 * accents and markup, those that look alike as one, and no word twice in a row. What is not shown, as
 * comments and the targets of links, follows after all that is.
 */
export function readLetters(readme: string): Uint32Array {
  const markup = createMarkup(readme)
  const hidden: number[] = []
  /** Where the last word begins and ends, and where the one that is read begins. */
  let [former, formerEnd, start] = [0, 0, 0]

  let length = read(0, readme.length, 0, true)
  for (let i = 0; i < hidden.length; i += 2) {
    length = read(hidden[i] as number, hidden[i + 1] as number, length, false)
  }
  return letters.subarray(0, length)

  /** Puts letters at `length`, and gives where they end. */
  function read(from: number, to: number, length: number, isShown: boolean): number {
    let end = length
    reserve(end + 2 * (to - from))
    for (let i = from; i < to; i++) {
      const code = readme.charCodeAt(i)
      const letter = code < 128 ? (ASCII_LETTERS[code] as number) : SEPARATOR
      if (letter > W) letters[end++] = letter
      else if (letter !== SEPARATOR) end = addTwice(letter, end)
      else if (code >= 128) {
        const point = readme.codePointAt(i) as number
        if (point > 0xffff) i++
        end = addForeign(point, end, to - i)
      } else if (BEGINS_MARKUP[code] === 0) end = endWord(end)
      else {
        const found = isShown ? markup.at(i) : markup.reference(i)
        if (!found) end = endWord(end)
        else {
          if (found.text !== undefined) end = addText(found.text, end, to - i)
          // without its first character it is no markup again
          else hidden.push(i + 1, found.end)
          i = found.end - 1
        }
      }
    }
    return endWord(end)
  }

  function addText(text: string, length: number, left: number): number {
    let end = length
    for (const character of text) {
      const point = character.codePointAt(0) as number
      const letter = point < 128 ? (ASCII_LETTERS[point] as number) : SEPARATOR
      if (letter > W) letters[end++] = letter
      else if (letter !== SEPARATOR) end = addTwice(letter, end)
      else end = point < 128 ? endWord(end) : addForeign(point, end, left)
    }
    return end
  }

  function addForeign(point: number, end: number, left: number): number {
    const letter = letterOf(point)
    if (letter === NOTHING) return end
    if (letter === SEPARATOR) return endWord(end)
    if (typeof letter === 'number') {
      letters[end] = letter
      return end + 1
    }
    reserve(end + letter.length + 2 * left)
    letters.set(letter, end)
    return end + letter.length
  }

  /** Gives where the letters end: before the word again, if it repeats the last. */
  function endWord(end: number): number {
    if (end === start) return end
    if (isRepeated(end)) return start
    former = start
    formerEnd = end
    start = end
    return end
  }

  function isRepeated(end: number): boolean {
    if (end - start !== formerEnd - former) return false
    for (let i = start, j = former; i < end; i++, j++) if (letters[i] !== letters[j]) return false
    return true
  }
}

function addTwice(letter: number, end: number): number {
  const [first, second] = TWICE[letter === M ? M : W]
  letters[end] = first
  letters[end + 1] = second
  return end + 2
}

function reserve(length: number): void {
  if (letters.length >= length) return
  const grown = new Uint32Array(length * 1.5)
  grown.set(letters)
  letters = grown
}

const BEGINS_MARKUP = Uint8Array.from({ length: 128 }, (_, code) =>
  MARKUP.includes(String.fromCharCode(code)) ? 1 : 0,
)
