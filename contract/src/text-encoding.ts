/** The kind of UTF-16 that a file is by its looks. */
export function utf16Of(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  const [first = 0, second = 0] = bytes
  if (first === 0xff && second === 0xfe) return 'UTF-16LE'
  if (first === 0xfe && second === 0xff) return 'UTF-16BE'
  const start = bytes.subarray(0, 65_536)
  const zeros = [0, 0]
  start.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  // ASCII in UTF-16 has a zero in every second place, and is valid UTF-8 all the same.
  const many = start.length / 8
  if ((zeros[1] ?? 0) > many) return 'UTF-16LE'
  return (zeros[0] ?? 0) > many ? 'UTF-16BE' : undefined
}

/**
 * The usual characters of encodings of several bytes, in a group, or else any character; the encoding with fewest first.
 * Much of what is valid in one is valid in all, but seldom usual.
 */
const severalBytes: readonly (readonly [name: string, characters: RegExp])[] = [
  [
    'UTF-8',
    /([\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})|[\x80-\xff]/g,
  ],
  ['SHIFT_JIS', /([\x81-\x83\x88-\x97][\x40-\x7e\x80-\xfc])|[\x80-\xff]./gs],
  ['EUC-KR', /([\xa1-\xa3\xb0-\xc8][\xa1-\xfe])|[\x80-\xff]./gs],
  ['EUC-JP', /([\xa1-\xa5\xb0-\xcf][\xa1-\xfe])|[\x80-\xff]./gs],
  ['BIG5', /([\xa1-\xc6][\x40-\x7e\xa1-\xfe])|[\x80-\xff]./gs],
  ['GBK', /([\xa1-\xa3\xb0-\xd7][\xa1-\xfe])|[\x80-\xff]./gs],
]

/** Encodings that a text may have that is neither UTF-8 nor UTF-16, by the names that `iconv` knows them by. */
function candidates(bytes: Uint8Array): readonly string[] {
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  const likely = severalBytes.flatMap(([name, characters]) => {
    const found = [...text.matchAll(characters)]
    const share = found.filter(([, usual]) => usual !== undefined).length / found.length
    return share >= 0.9 ? [{ name, share }] : []
  })
  if (likely.length > 0) return likely.sort((a, b) => b.share - a.share).map(({ name }) => name)
  // Accents stand among other letters; Cyrillic and Greek have words without ASCII.
  if (/[\x80-\xff]{5}/.test(text)) return ['WINDOWS-1251', 'KOI8-R', 'ISO-8859-7', 'GBK']
  return /[\x80-\x9f]/.test(text) ? ['WINDOWS-1252', 'WINDOWS-1250'] : ['ISO-8859-1', 'ISO-8859-2']
}

/**
 * What is wrong with a text file that is not UTF-8, as the end of a sentence that begins with it; undefined if it is.
 */
export function encodingTrouble(bytes: Uint8Array, isUtf8: boolean): string | undefined {
  const utf16 = utf16Of(bytes)
  if (isUtf8 && !utf16) return undefined
  const [first = '', ...others] = utf16 ? [utf16] : candidates(bytes)
  if (first === 'UTF-8') {
    return 'is UTF-8 with bytes that belong to no character: "iconv -c -f UTF-8 -t UTF-8" leaves them out'
  }
  const doubt = others.length === 0 ? '' : ', if it reads well then'
  const names = [first, ...others].join(' or ')
  return `is not UTF-8 but ${names} by its looks: save it as UTF-8, for example with "iconv -f ${first} -t UTF-8"${doubt}`
}
