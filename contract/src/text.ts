import { z } from 'zod'

/**
 * Text that every storage engine keeps as it came: Postgres refuses NUL, and a lone surrogate has
 * no UTF-8 form, so both are refused here instead of changing what was sent.
 */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Free text of up to `max` characters, in any script. */
export const text = (max: number) =>
  z
    .string()
    .max(max, `at most ${max} characters`)
    .refine(isStorable, 'must not hold NUL or lone surrogates')

/** A label of 1 to `max` characters; white space around it is dropped. */
export const label = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(max, `at most ${max} characters`)
    .refine(isStorable, 'must not hold NUL or lone surrogates')

/** Free text of up to `bytes` bytes of UTF-8. */
export const document = (bytes: number) =>
  z
    .string()
    .refine((value) => utf8Length(value) <= bytes, `at most ${bytes} bytes of UTF-8`)
    .refine(isStorable, 'must not hold NUL or lone surrogates')

/** Length in bytes of the UTF-8 form. Counted, since the contract also runs where there is no Buffer. */
export function utf8Length(value: string): number {
  let bytes = value.length
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    if (code > 0x7f) bytes += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1
  }
  return bytes
}
