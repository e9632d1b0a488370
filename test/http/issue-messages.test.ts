import '@skillpass/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** Zod issues by code: schema, value and message. */
const faults: Partial<Record<z.core.$ZodIssueCode, readonly [z.ZodType, unknown, string][]>> = {
  invalid_type: [
    [z.string(), undefined, 'is required'],
    [z.string(), null, 'must be a string, not null'],
    [z.string(), 1, 'must be a string, not a number'],
    [z.number(), '1', 'must be a number, not a string'],
    [z.number(), Number.NaN, 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'true', 'must be true or false, not a string'],
    [z.array(z.string()), {}, 'must be an array, not an object'],
    [z.object({}), [], 'must be an object, not an array'],
    [z.record(z.string(), z.string()), true, 'must be an object, not a boolean'],
    [z.object({ y: z.string() }), {}, 'is required'],
  ],
  too_small: [
    [z.string().min(1), '', 'must not be empty'],
    [z.string().min(2), 'a', 'must be at least 2 characters'],
    [z.string().length(1), '', 'must be exactly 1 character'],
    [z.number().min(1), 0, 'must be at least 1'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.array(z.string()).min(1), [], 'must not be empty'],
    [z.array(z.string()).min(2), ['a'], 'must have at least 2 entries'],
  ],
  too_big: [
    [z.string().max(3), 'long', 'must be at most 3 characters'],
    [z.string().max(1), 'ab', 'must be at most 1 character'],
    [z.number().max(50), 51, 'must be at most 50'],
    [z.number().lt(50), 50, 'must be less than 50'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entry'],
    [z.array(z.string()).length(3), ['a', 'b', 'c', 'd'], 'must have exactly 3 entries'],
  ],
  invalid_format: [
    [z.uuid(), 'a', 'must be a UUID'],
    [z.iso.datetime(), 'a', 'must be a date and time such as 2027-01-31T00:00:00Z'],
    [z.string().regex(/^b$/), 'a', 'must match /^b$/'],
  ],
  unrecognized_keys: [[z.strictObject({}), { y: 1 }, 'is not a known field']],
  invalid_union: [
    [z.union([z.string(), z.number()]), undefined, 'is required'],
    [z.union([z.string(), z.number()]), true, 'must be a string or a number'],
    [
      z.union([z.object({ y: z.string() }), z.object({ z: z.string() })]),
      {},
      'is not valid: y is required',
    ],
    [z.discriminatedUnion('y', [z.object({ y: z.literal('a') })]), {}, 'is required'],
    [
      z.discriminatedUnion('y', [z.object({ y: z.literal(['a', 'b']) })]),
      { y: 'c' },
      'must be a or b',
    ],
  ],
  invalid_value: [
    [z.enum(['stars', 'downloads', 'recent']), undefined, 'is required'],
    [z.enum(['stars', 'downloads', 'recent']), 'new', 'must be stars, downloads or recent'],
    [z.literal('md'), 'html', 'must be md'],
    [z.literal([1, 2, 3]), 4, 'must be 1, 2 or 3'],
  ],
  custom: [
    [z.string().refine(() => false), 'a', 'is not valid'],
    [z.string().refine(() => false, 'is reserved'), 'a', 'is reserved'],
    [z.string().refine(() => false, 'a bot has none'), 'a', 'a bot has none'],
  ],
}

test.each(Object.entries(faults))('the message of issue %s states the remedy', (code, cases) => {
  for (const [schema, value, sentence] of cases) {
    const [issue] = z.object({ x: schema }).safeParse({ x: value }).error?.issues ?? []
    expect(issue?.code).toBe(code)
    expect(issue?.message).toBe(sentence)
  }
})
