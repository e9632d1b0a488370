import { z } from 'zod'

/** Plain decimals only, because Number() also accepts an empty string, "1e1" and "0x10". */
const decimal = /^-?\d{1,15}(?:\.\d{1,20})?$/

/** Formats in which programs print numbers: 0.5, .5, 5e-1, 5.0E-1, 1e-07. */
const float = /^-?(?:\d{1,15}\.?\d{0,20}|\.\d{1,20})(?:e[+-]?\d{1,3})?$/i

const numberOf =
  (form: RegExp) =>
  <T extends z.ZodType<number, number>>(schema: T) =>
    z
      .union([z.number(), z.string()], 'must be a single number')
      .transform((value) => (form.test(`${value}`) ? Number(value) : Number.NaN))
      .pipe(schema)

/** A whole number in the query string. */
export const queryNumber = numberOf(decimal)

/** A decimal number in the query string. */
export const queryFraction = numberOf(float)
