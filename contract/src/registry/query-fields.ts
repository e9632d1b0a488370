import { z } from 'zod'
import { queryNumber } from '../query-number.ts'

const blankAsAbsent = (sent: unknown) =>
  typeof sent === 'string' && sent.trim() === '' ? undefined : sent

/** Makes a parameter optional. An empty value, as HTML forms send it, counts as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  z.preprocess((sent: z.input<S>) => blankAsAbsent(sent), schema.optional()).optional()

/** Makes `value` the default of a parameter that is absent or empty. */
export const withDefault = <T extends string | number, I>(schema: z.ZodType<T, I>, value: T) =>
  z.preprocess((sent: I) => blankAsAbsent(sent) ?? value, schema).default(value)

export const verdictFilter = withDefault(z.enum(['clean', 'notice', 'any']), 'any').describe(
  'Most serious verdict in the results: `clean`, `notice` (includes `clean`) or `any` (default).',
)

export const limit = (max: number, byDefault: number) =>
  withDefault(queryNumber(z.int().min(1).max(max)), byDefault).describe(
    `Maximum number of results, from 1 to ${max}. The default is ${byDefault}.`,
  )

export const page = withDefault(queryNumber(z.int().min(1).max(1_000_000)), 1).describe(
  'Page number, from 1.',
)

/** A wildcard of a path, which Express returns as a list of segments. */
export const wildcard = z.preprocess(
  (value: unknown) => (Array.isArray(value) ? value.join('/') : value),
  z.string().min(1),
)
