/** Tables of what passes for Latin letters, beside that of UTS 39 (`unhomoglyph`). */

const pairsOf = (text: string): [sign: string, letter: string][] =>
  Array.from(text.matchAll(/(.)([a-z])/gu), ([, sign = '', letter = '']) => [sign, letter])

/** Small capitals, under some of which UTS 39 also files Cyrillic letters of that form. */
export const smallCapitals: ReadonlyMap<string, string> = new Map(
  pairsOf('ᴀaʙbᴄcᴅdᴇeɢgʜhɪiᴊjĸkᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'),
)

/** Cyrillic and Greek letters as attackers put them into commands, and a small capital that names may have. */
export const disguises: ReadonlyMap<string, string> = new Map(
  pairsOf('аaсcеeіiјjоoрpѕsуyхxԁdһhӏlαaοoεeιiνvρpυuсcкkтtпnгrмmвbꜰf'),
)

/** Letters and signs that pass for a Latin letter at a glance, and that UTS 39 keeps apart from it. */
export const likeness = new Map(
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

/** Digits and signs that stand for the letter which they resemble, as in `5upp0rt`. */
export const letterOf = new Map([
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
