import '@skillpass/contract'
import { formatIssue } from '@skillpass/server/internal/errors/issues'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** Zod issues by code: schema, value and the message for the field `x`. */
const faults: Partial<Record<z.core.$ZodIssueCode, readonly [z.ZodType, unknown, string][]>> = {
  invalid_type: [
    [z.string(), undefined, 'x is required'],
    [z.string(), null, 'x must be a string, not null'],
    [z.string(), 1, 'x must be a string, not a number'],
    [z.number(), '1', 'x must be a number, not a string'],
    [z.number(), Number.NaN, 'x must be a number'],
    [z.int(), 1.5, 'x must be a whole number'],
    [z.boolean(), 'true', 'x must be true or false, not a string'],
    [z.array(z.string()), {}, 'x must be an array, not an object'],
    [z.object({}), [], 'x must be an object, not an array'],
    [z.record(z.string(), z.string()), true, 'x must be an object, not a boolean'],
    [z.object({ y: z.string() }), {}, 'x.y is required'],
  ],
  too_small: [
    [z.string().min(1), '', 'x must not be empty'],
    [z.string().min(2), 'a', 'x must be at least 2 characters'],
    [z.string().length(1), '', 'x must be exactly 1 character'],
    [z.number().min(1), 0, 'x must be at least 1'],
    [z.number().positive(), 0, 'x must be more than 0'],
    [z.array(z.string()).min(1), [], 'x must not be empty'],
    [z.array(z.string()).min(2), ['a'], 'x must have at least 2 entries'],
  ],
  too_big: [
    [z.string().max(3), 'long', 'x must be at most 3 characters'],
    [z.string().max(1), 'ab', 'x must be at most 1 character'],
    [z.number().max(50), 51, 'x must be at most 50'],
    [z.number().lt(50), 50, 'x must be less than 50'],
    [z.array(z.string()).max(1), ['a', 'b'], 'x must have at most 1 entry'],
    [z.array(z.string()).length(3), ['a', 'b', 'c', 'd'], 'x must have exactly 3 entries'],
  ],
  invalid_format: [
    [z.uuid(), 'a', 'x must be a UUID'],
    [z.iso.datetime(), 'a', 'x must be a date and time such as 2027-01-31T00:00:00Z'],
    [z.string().regex(/^b$/), 'a', 'x must match /^b$/'],
  ],
  unrecognized_keys: [[z.strictObject({}), { y: 1 }, 'x is not a known field']],
  invalid_union: [
    [z.union([z.string(), z.number()]), undefined, 'x is required'],
    [z.union([z.string(), z.number()]), true, 'x must be a string or a number'],
    [
      z.union([z.object({ y: z.string() }), z.object({ z: z.string() })]),
      {},
      'x is not valid: y is required',
    ],
    [z.discriminatedUnion('y', [z.object({ y: z.literal('a') })]), {}, 'x.y is required'],
    [
      z.discriminatedUnion('y', [z.object({ y: z.literal(['a', 'b']) })]),
      { y: 'c' },
      'x.y must be a or b',
    ],
  ],
  invalid_value: [
    [z.enum(['stars', 'downloads', 'recent']), undefined, 'x is required'],
    [z.enum(['stars', 'downloads', 'recent']), 'new', 'x must be stars, downloads or recent'],
    [z.literal('md'), 'html', 'x must be md'],
    [z.literal([1, 2, 3]), 4, 'x must be 1, 2 or 3'],
  ],
  custom: [
    [z.string().refine(() => false), 'a', 'x is not valid'],
    [z.string().refine(() => false, 'is reserved'), 'a', 'x is reserved'],
    [z.string().refine(() => false, 'a bot has none'), 'a', 'x: a bot has none'],
  ],
}

test.each(Object.entries(faults))('the message of issue %s states the remedy', (code, cases) => {
  for (const [schema, value, sentence] of cases) {
    const [issue] = z.object({ x: schema }).safeParse({ x: value }).error?.issues ?? []
    expect(issue?.code).toBe(code)
    expect(formatIssue((issue?.path ?? []).join('.'), issue?.message ?? '')).toBe(sentence)
  }
})
