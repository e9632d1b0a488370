/** Detects UTF-16 by its byte order mark or by its zero bytes. */
export function detectUtf16(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  const [first = 0, second = 0] = bytes
  if (first === 0xff && second === 0xfe) return 'UTF-16LE'
  if (first === 0xfe && second === 0xff) return 'UTF-16BE'
  const start = bytes.subarray(0, 65_536)
  const zeros = [0, 0]
  start.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  // ASCII text in UTF-16 has a zero in every second byte, and these bytes are also valid UTF-8.
  const many = start.length / 8
  if ((zeros[1] ?? 0) > many) return 'UTF-16LE'
  return (zeros[0] ?? 0) > many ? 'UTF-16BE' : undefined
}

/**
 * Returns the problem with a file that is not UTF-8, as a predicate with the remedy; undefined for
 * UTF-8.
 */
export function encodingIssue(bytes: Uint8Array, isUtf8: boolean): string | undefined {
  const utf16 = detectUtf16(bytes)
  if (isUtf8 && !utf16) return undefined
  const found = utf16 ? `is ${utf16}, not UTF-8` : 'is not UTF-8'
  return `${found}. Save it as UTF-8, for example with "iconv -f ${utf16 ?? 'ENCODING'} -t UTF-8"`
}
