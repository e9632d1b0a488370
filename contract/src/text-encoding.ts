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
 * What is wrong with a text file that is not UTF-8, as the end of a sentence that begins with it; undefined if it is.
 */
export function encodingTrouble(bytes: Uint8Array, isUtf8: boolean): string | undefined {
  const utf16 = utf16Of(bytes)
  if (isUtf8 && !utf16) return undefined
  const found = utf16 ? `is ${utf16}, not UTF-8` : 'is not UTF-8'
  return `${found}: save it as UTF-8, for example with "iconv -f ${utf16 ?? 'ENCODING'} -t UTF-8"`
}
