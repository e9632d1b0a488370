/** Confusable characters that extend the table of UTS 39 (`unhomoglyph`). */

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

/** Characters that resemble Latin letters but are distinct in UTS 39. */
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
export const lookAlikeLetters = new Map([
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
