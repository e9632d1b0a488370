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

/** Words of 1 to `max` characters, as people type or paste them; white space around is dropped. */
export const words = (max: number) =>
  z
    .string()
    .trim()
    .min(1, { error: 'must not be empty', abort: true })
    .max(max, `at most ${max} characters`)
    .refine(isStorable, { error: 'must not hold NUL or lone surrogates', abort: true })

/** Line ends, and characters that nobody sees but that turn or part the text around them. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * The joiners that scripts need: between letters of one that joins them or signs of an emoji, and
 * after a mark, as at the end of a word in Indic scripts. Latin, Greek and Cyrillic need none.
 */
const joiners =
  /(?<=[\p{L}\p{M}\p{Emoji_Modifier}\p{Extended_Pictographic}])(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])|(?<=\p{M})[\u200c\u200d](?![\u200c\u200d])/gu

/** What has no look of its own: fillers, variation selectors, the empty sign of Braille. */
const blank = /[\s\p{Default_Ignorable_Code_Point}\u2800]/gu

/** A label of 1 to `max` characters, on one line and with something to see. */
export const label = (max: number) =>
  words(max)
    .refine(
      (value) => !hidden.test(value.replace(joiners, '')),
      'must not hold line ends, control characters or invisible ones',
    )
    .refine((value) => value.replace(blank, '') !== '', 'must have a character that can be seen')

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
