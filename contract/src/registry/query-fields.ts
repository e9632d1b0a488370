import { z } from 'zod'
import { queryNumber } from '../query-number.ts'

/** The gravest verdict that is asked for. */
export const verdictFilter = z.enum(['clean', 'notice', 'any']).default('any').meta({
  description:
    'The gravest verdict to answer: `clean`, `notice` (clean ones too) or `any` (the default).',
})

/** How many to answer. */
export const limit = (max: number, byDefault: number) =>
  queryNumber(z.int().min(1).max(max))
    .default(byDefault)
    .meta({ description: `How many to answer: 1 to ${max}, default ${byDefault}.` })
