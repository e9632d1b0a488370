import { z } from 'zod'

/**
 * A number in the query string. Written plainly in decimals: an empty value, an exponent or a
 * hexadecimal form is refused, where JavaScript's own conversion would make 0, 10 or 16 of it.
 */
export const queryNumber = <T extends z.ZodType<number, number>>(schema: T) =>
  z
    .union([z.number(), z.string()], 'must be given once, as a number')
    .transform((value) =>
      /^-?\d{1,15}(\.\d{1,20})?$/.test(`${value}`) ? Number(value) : Number.NaN,
    )
    .pipe(schema)
