import { z } from 'zod'

/**
 * A number in the query string. Written plainly in decimals, tiny ones as JavaScript writes them ("1e-7"): an
 * empty value, another exponent or a hexadecimal form is refused, where JavaScript's own conversion would
 * make 0, 10 or 16 of it.
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
