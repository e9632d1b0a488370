export type CharacterClass = 'emoji' | 'symbol' | 'han' | 'joining'

const bits: Record<CharacterClass, number> = { emoji: 1, symbol: 2, han: 4, joining: 8 }
const patterns: Record<CharacterClass, RegExp> = {
  emoji: /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u,
  symbol: /[\p{Emoji}\p{S}\p{P}]/u,
  han: /\p{Script=Han}/u,
  // Scripts whose letters join, where the joiners decide how a word is written.
  joining:
    /[\u0600-\u07ff\u0840-\u0fff\u1000-\u109f\u1780-\u18af\u1a20-\u1aaf\u1b00-\u1bff\ua840-\uaaff\ufb50-\ufdff]/,
}
const known = 128

/** What was asked before, by code point: a text full of emoji asks the same thousands of times. */
const classes = new Uint8Array(0x110000)

export function isOf(point: number, kind: CharacterClass): boolean {
  let set = classes[point] ?? 0
  if (set === 0) {
    const char = String.fromCodePoint(point)
    set = known
    for (const name of ['emoji', 'symbol', 'han', 'joining'] as const) {
      if (patterns[name].test(char)) set |= bits[name]
    }
    classes[point] = set
  }
  return (set & bits[kind]) !== 0
}
