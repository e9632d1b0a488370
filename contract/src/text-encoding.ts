/** Encodings that a text file can be told to have, by the names that `iconv` knows them by. */
export type TextEncoding = 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' | 'GBK' | 'ISO-8859-1'

/** How a text file is encoded, by its looks. */
export function encodingOf(bytes: Uint8Array, isUtf8: boolean): TextEncoding {
  const [first = 0, second = 0] = bytes
  if (first === 0xff && second === 0xfe) return 'UTF-16LE'
  if (first === 0xfe && second === 0xff) return 'UTF-16BE'
  const zeros = [0, 0]
  let run = 0
  let oddRuns = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
    if (byte >= 0x80) run++
    else {
      oddRuns += run % 2
      run = 0
    }
  }
  // ASCII in UTF-16 has a zero in every second place, and is valid UTF-8 all the same.
  const many = bytes.length / 8
  if ((zeros[1] ?? 0) > many) return 'UTF-16LE'
  if ((zeros[0] ?? 0) > many) return 'UTF-16BE'
  if (isUtf8) return 'UTF-8'
  // Two bytes make a Chinese character; accents stand alone.
  return oddRuns + (run % 2) === 0 ? 'GBK' : 'ISO-8859-1'
}

/** What is wrong with a file that is not UTF-8, as the end of a sentence that begins with it. */
export const encodingTrouble = (encoding: TextEncoding): string =>
  `is not UTF-8 but ${encoding} by its looks: save it as UTF-8, for example with "iconv -f ${encoding} -t UTF-8"`
