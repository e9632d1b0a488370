import { z } from 'zod'
import { describeHidden, findHidden } from './hidden-text.ts'
import { utf8Length } from './utf8-length.ts'
import { onOneLine } from './visible-text.ts'

/**
 * Whether every storage engine preserves a text. Postgres rejects NUL, and a lone surrogate has no
 * UTF-8 form.
 */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

const unstorable = { error: 'must not contain NUL or lone surrogates', abort: true }

/** Text of at most `max` characters. */
export const text = (max: number) => z.string().max(max).refine(isStorable, unstorable)

/** Text of 1 to `max` characters after trimming. */
export const words = (max: number) =>
  z.string().trim().min(1, { abort: true }).max(max).refine(isStorable, unstorable)

/** Characters without a glyph: white space, fillers, variation selectors. */
export const blank = /[\s\p{Default_Ignorable_Code_Point}]/gu

/** Rejects hidden characters and texts without a visible character. */
export const rejectHidden = (value: string, context: z.RefinementCtx<string>) => {
  const found = findHidden(value)
  if (found !== undefined) {
    context.addIssue({ code: 'custom', message: `must not contain ${describeHidden(found)}` })
  } else if (value !== '' && value.replace(blank, '') === '') {
    context.addIssue({ code: 'custom', message: 'must contain a visible character' })
  }
}

/** One line of at most `max` characters, without hidden characters. It can be empty. */
export const line = (max: number) => text(max).superRefine(rejectHidden)

/** Converts a text of several lines to one line, without hidden characters. */
export const singleLine = (schema: z.ZodString) =>
  schema.transform(onOneLine).superRefine(rejectHidden)

/** One line of 1 to `max` characters after trimming, without hidden characters. */
export const label = (max: number) => words(max).superRefine(rejectHidden)

/** Text of at most `bytes` bytes of UTF-8. */
export const document = (bytes: number) =>
  z
    .string()
    .refine((value) => utf8Length(value) <= bytes, `must be at most ${bytes} bytes of UTF-8`)
    .refine(isStorable, unstorable)
