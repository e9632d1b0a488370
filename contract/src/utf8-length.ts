/**
 * Returns the length of the UTF-8 form in bytes. Avoids Buffer, so that it also runs in browsers.
 */
export function utf8Length(value: string): number {
  let bytes = value.length
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
