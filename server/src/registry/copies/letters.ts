import confusables from 'unhomoglyph'

/** What parts words. */
export const SEPARATOR = 0
/** No character at all: what hides in a word without being seen. */
export const NOTHING = -1

/** Stand for the `m` and the `w`, which look like two letters. */
export const M = 1
export const W = 2
export const TWICE = { [M]: [114, 110], [W]: [118, 118] } as const

/** ASCII letters and digits that are told apart, by code; `M`, `W`, or `SEPARATOR` for all else. */
export const ASCII_LETTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase()
  if (character === 'm') return M
  if (character === 'w') return W
  if (!/[a-z0-9]/.test(character)) return SEPARATOR
  return (alike(character) ?? character).charCodeAt(0)
})

/** `I`, `l` and `1` are one, in lower case `i` with them; so are `O` and `0`. */
function alike(character: string): string | undefined {
  if (character === 'i' || character === '1') return 'l'
  return character === '0' ? 'o' : undefined
}

const PAGE = 256
/** By code point, in pages that are made when one is met: a letter, or -2 less the place in `several`. */
const pages: (Int32Array | undefined)[] = []
const several: (readonly number[])[] = []

/**
 * The letter that a character beyond ASCII is taken for, by the table of UTS 39 and without accents and
 * case; `SEPARATOR`, `NOTHING`, or more letters than one.
 */
export function letterOf(code: number): number | readonly number[] {
  const number = code >>> 8
  let page = pages[number]
  if (!page) {
    page = readPage(number * PAGE)
    pages[number] = page
  }
  const letter = page[code & 0xff] as number
  return letter < NOTHING ? (several[-2 - letter] as readonly number[]) : letter
}

function readPage(first: number): Int32Array {
  const shapes = Array.from({ length: PAGE }, (_, i) =>
    isSurrogate(first + i) ? '' : bare(String.fromCodePoint(first + i)),
  )
  // once for all, since the table is one great pattern
  const looks = confusables(shapes.join('\n')).split('\n')
  return Int32Array.from(shapes, (shape, i) => {
    if (first + i < 128) return SEPARATOR
    const letters = lettersIn(bare(looks[i] ?? '').toLowerCase())
    if (letters.length === 1) return letters[0] as number
    if (letters.length === 0) return shape === '' ? NOTHING : SEPARATOR
    several.push(letters)
    return -1 - several.length
  })
}

const isSurrogate = (code: number) => code >= 0xd800 && code < 0xe000

const UNSEEN = /[\p{M}\p{Sk}\p{Lm}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu

/** Modifier letters go before they are decomposed: a raised letter is none. */
const bare = (text: string) => text.replace(UNSEEN, '').normalize('NFKD').replace(UNSEEN, '')

function lettersIn(text: string): number[] {
  return [...text].flatMap((character) => {
    if (!/[\p{L}\p{N}]/u.test(character)) return []
    const code = character.codePointAt(0) as number
    if (code >= 128) return [code]
    const letter = ASCII_LETTERS[code] as number
    return letter === M || letter === W ? TWICE[letter] : [letter]
  })
}
