import { z } from 'zod'
import { describeHidden, findHidden } from './hidden-text.ts'
import { onOneLine } from './one-line.ts'
import { utf8Length } from './utf8-length.ts'

/**
 * Text that every storage engine keeps as it came: Postgres refuses NUL, and a lone surrogate has
 * no UTF-8 form, so both are refused here instead of changing what was sent.
 */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

const unstorable = { error: 'must not hold NUL or lone surrogates', abort: true }

/** Free text of up to `max` characters, in any script. */
export const text = (max: number) => z.string().max(max).refine(isStorable, unstorable)

/** Words of 1 to `max` characters, as people type or paste them; white space around is dropped. */
export const words = (max: number) =>
  z.string().trim().min(1, { abort: true }).max(max).refine(isStorable, unstorable)

/** What has no look of its own: spaces of all kinds, fillers, variation selectors. */
const blank = /[\s\p{Default_Ignorable_Code_Point}]/gu

/** Refuses hidden characters, naming the first, and a text of which nothing can be seen. */
export const refuseUnseen = (value: string, context: z.RefinementCtx<string>) => {
  const found = findHidden(value)
  if (found !== undefined) {
    context.addIssue({ code: 'custom', message: `must not hold ${describeHidden(found)}` })
  } else if (value !== '' && value.replace(blank, '') === '') {
    context.addIssue({ code: 'custom', message: 'must have a character that can be seen' })
  }
}

/** One line of up to `max` characters, in any script, without hidden characters; it may be empty. */
export const line = (max: number) => text(max).superRefine(refuseUnseen)

/** A line that people may send as several: it is kept as one. */
export const folded = (several: z.ZodString) =>
  several.transform(onOneLine).superRefine(refuseUnseen)

/** A label of 1 to `max` characters, on one line and with something to see. */
export const label = (max: number) => words(max).superRefine(refuseUnseen)

/** Free text of up to `bytes` bytes of UTF-8. */
export const document = (bytes: number) =>
  z
    .string()
    .refine((value) => utf8Length(value) <= bytes, `must be at most ${bytes} bytes of UTF-8`)
    .refine(isStorable, unstorable)
