/** So many characters of words that no other text has: other ones for every seed. */
export function uniqueWords(seed: number, characters: number, between: string): string {
  const words: string[] = []
  for (let length = 0, i = 0; length < characters; i++) {
    // Letters alone, which no reader cuts: digits of base 26 behind those of the seed.
    const word = `${lettersOf(seed)}q${lettersOf(i * 7919)}`
    words.push(word)
    length += word.length + between.length
  }
  return words.join(between).slice(0, characters)
}

/** A whole number in base 25, as letters without q. */
function lettersOf(number: number): string {
  const letters = 'abcdefghijklmnoprstuvwxyz'
  let text = ''
  for (let left = number; text === '' || left > 0; left = Math.floor(left / 25)) {
    text = letters[left % 25] + text
  }
  return text
}

/** The words of a text, whatever space parts them: for lists of tokens that hold none. */
export const words = (text: string): string[] => text.trim().split(/\s+/)

/** Texts parted by a broken bar, for lists of short ones that may hold space. */
export const parted = (...lines: string[]): string[] => lines.flatMap((line) => line.split('¦'))
