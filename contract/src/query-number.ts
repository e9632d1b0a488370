import { z } from 'zod'

/**
 * A number in the query string, in plain decimals, tiny ones as JavaScript writes them ("1e-7"). Empty,
 * exponential and hexadecimal forms are refused, of which a conversion would make 0, 10 or 16.
 */
export const queryNumber = <T extends z.ZodType<number, number>>(schema: T) =>
  z
    .union([z.number(), z.string()], 'must be given once, as a number')
    .transform((value) =>
      /^-?\d{1,15}(\.\d{1,20})?(e-(?:[7-9]|\d{2,3}))?$/.test(`${value}`)
        ? Number(value)
        : Number.NaN,
    )
    .pipe(schema)
