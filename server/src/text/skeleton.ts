import confusables from 'unhomoglyph'

const pairsOf = (text: string): [sign: string, letter: string][] =>
  Array.from(text.matchAll(/(.)([a-z])/gu), ([, sign = '', letter = '']) => [sign, letter])

/** Small capitals. UTS 39 maps some of them to Cyrillic letters. */
export const smallCapitals: ReadonlyMap<string, string> = new Map(
  pairsOf('ᴀaʙbᴄcᴅdᴇeɢgʜhɪiᴊjĸkᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'),
)

/** Cyrillic and Greek letters that disguise commands, and a small capital. */
export const disguises: ReadonlyMap<string, string> = new Map(
  pairsOf('аaсcеeіiјjоoрpѕsуyхxԁdһhӏlαaοoεeιiνvρpυuсcкkтtпnгrмmвbꜰf'),
)

/** Characters that resemble Latin letters but are distinct in UTS 39 (`unhomoglyph`). */
export const confusableLetters = new Map(
  Object.entries({
    a: 'ɐʌⱯɅΛΔ₳Ꭿ',
    b: 'ƀ␢',
    c: '¢₵ȼ',
    e: 'єээҽәǝ℮ɆɇΞξ',
    f: 'ꞘꞙƑƒ₣',
    h: 'њһԋɦ',
    i: '¡Ꮖꮖɨ',
    k: 'ҝқӄҟԟ₭Ꝁꝁ',
    l: 'łⱡꞁ│┃',
    m: 'ɱ₥',
    n: 'пПπΠиИηռɲŋ₦',
    o: 'ΘθѲѳϴ',
    p: 'þÞ₱Ᵽᵽ',
    r: 'ЯяᴙɌɍ',
    s: 'ꞨꞩꚂꚃƧƨϨϩꭶᎦ§₴ʂ',
    ss: 'ßẞ',
    t: '₮Ŧŧ†',
    u: 'цųʉ',
    y: 'Ɏɏ¥',
  }).flatMap(([letter, signs]) => Array.from(signs, (sign) => [sign, letter] as const)),
)

/** Letters that digits and symbols resemble, as in `5upp0rt`. */
const lookAlikeLetters = new Map([
  ['2', 'z'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['8', 'b'],
  ['9', 'g'],
  ['@', 'a'],
  ['$', 's'],
  ['!', 'l'],
  ['|', 'l'],
  ['+', 't'],
  ['€', 'e'],
])

/** Sequences that look alike in lower case and that UTS 39 distinguishes. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/i/g, 'l'],
  [/vv/g, 'w'],
  [/ʍ/g, 'rn'],
]

/**
 * Returns a name's skeleton. Names with equal skeletons look alike. Follows UTS 39 §4 (a table of
 * confusables between two normalizations), and also ignores case, accents and invisible characters.
 * `0` equals `o`; `1`, `i` and `l` are equal; `rn` equals `m`.
 */
function skeletonOf(name: string): string {
  // Apply the table twice: it equates `I` and `l`, but not the lower-case `i`.
  const shape = confusable(confusable(name).toLowerCase()).toLowerCase()
  const small = shape.replace(/[^\0-\u007f]/g, (letter) => smallCapitals.get(letter) ?? letter)
  return alike.reduce((text, [letter, twin]) => text.replace(letter, twin), small)
}

/** Ignores separators: `harp-maker` equals `harpmaker`. */
export const usernameSkeleton = (name: string): string => skeletonOf(name.replace(/[-_.]/g, ''))

const confusable = (text: string) =>
  decompose(
    confusables(
      decompose(Array.from(text, (sign) => confusableLetters.get(sign) ?? sign).join('')),
    ),
  )

/** Decomposes letters, and removes accents and invisible characters. */
export const decompose = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu, unframed)

/** Converts letters in circles, squares and flags, such as 🅚, which NFKD leaves unchanged. */
export function unframed(sign: string): string {
  const point = sign.codePointAt(0) ?? 0
  return String.fromCharCode(0x61 + (point >= 0x1f1e6 ? point - 0x1f1e6 : (point - 0x1f150) % 32))
}

/** Returns the skeletons of a name's words, with digits and symbols read as letters. */
export function wordSkeletons(name: string): string[] {
  const letters = name
    .normalize('NFKD')
    .replace(/[2-9@$!|+€]/g, (sign) => lookAlikeLetters.get(sign) ?? sign)
  // `AdminTeam` is two words.
  const spaced = letters.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return skeletonOf(spaced)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** A letter of a name. Digits and symbols are optional, because readers may ignore them. */
export interface Letter {
  readonly shape: string
  readonly optional: boolean
}

/** Modifier letters and clicks, which look like strokes. */
const strokes = /[\p{Lm}\u01c0-\u01c3\ua78f]/u

function lettersOfSign(sign: string): Letter[] {
  const optional = !/\p{L}/u.test(sign) || strokes.test(sign)
  // The skeleton of `vv` is `w`. Letter by letter, `w` becomes `vv`.
  const shapes = skeletonOf(lookAlikeLetters.get(sign) ?? sign).replaceAll('w', 'vv')
  return Array.from(shapes.replace(/[^\p{L}\p{N}]/gu, ''), (shape) => ({ shape, optional }))
}

/** Cached letters of usernames and owners, because imports check many. */
const common = new Map(
  Array.from('abcdefghijklmnopqrstuvwxyz0123456789-', (sign) => [sign, lettersOfSign(sign)]),
)

/** Returns the letters of a name, without spaces and separators. */
export const lettersOf = (name: string): Letter[] =>
  Array.from(name.normalize('NFKD')).flatMap((sign) => common.get(sign) ?? lettersOfSign(sign))
