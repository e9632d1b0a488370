/** Returns `length` characters of words that are unique to the seed. */
export function uniqueWords(seed: number, characters: number, between: string): string {
  const words: string[] = []
  for (let length = 0, i = 0; length < characters; i++) {
    // Letters only, so that no tokenizer splits a word. The q separates seed and counter.
    const word = `${lettersOf(seed)}q${lettersOf(i * 7919)}`
    words.push(word)
    length += word.length + between.length
  }
  return words.join(between).slice(0, characters)
}

/** Writes an integer in base 25, as letters without q. */
function lettersOf(number: number): string {
  const letters = 'abcdefghijklmnoprstuvwxyz'
  let text = ''
  for (let left = number; text === '' || left > 0; left = Math.floor(left / 25)) {
    text = letters[left % 25] + text
  }
  return text
}

/** Splits a text at white space. */
export const words = (text: string): string[] => text.trim().split(/\s+/)

/** Splits texts at broken bars (¦), for items that contain spaces. */
export const splitAtBars = (...lines: string[]): string[] =>
  lines.flatMap((line) => line.split('¦'))
