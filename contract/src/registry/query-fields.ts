import { z } from 'zod'
import { queryNumber } from '../query-number.ts'

const blankAsAbsent = (sent: unknown) =>
  typeof sent === 'string' && sent.trim() === '' ? undefined : sent

/** A parameter that may be left out; an empty one, as forms send it, counts as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((sent: z.input<S>) => blankAsAbsent(sent), schema.optional()).optional()

/** A parameter that is `value` where it is absent or empty. */
export const withDefault = <T extends string | number, I>(schema: z.ZodType<T, I>, value: T) =>
  z.preprocess((sent: I) => blankAsAbsent(sent) ?? value, schema).default(value)

/** The gravest verdict that is asked for. */
export const verdictFilter = withDefault(z.enum(['clean', 'notice', 'any']), 'any').meta({
  description:
    'The gravest verdict to answer: `clean`, `notice` (clean ones too) or `any` (the default).',
})

/** How many to answer. */
export const limit = (max: number, byDefault: number) =>
  withDefault(queryNumber(z.int().min(1).max(max)), byDefault).meta({
    description: `How many to answer: 1 to ${max}, default ${byDefault}.`,
  })

/** Which page to answer. */
export const page = withDefault(queryNumber(z.int().min(1).max(1_000_000)), 1).meta({
  description: 'Page, from 1.',
})
