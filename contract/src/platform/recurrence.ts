import { z } from 'zod'
import { SentDateTime } from '../date-time.ts'
import { Instant } from '../schemas.ts'
import {
  emptyMembersAsAbsent,
  numberAsText,
  oneOfNumbers,
  wholeNumber,
  zeroAsAbsent,
  zeroAsDefault,
} from './lenient.ts'

/** Most occurrences that a recurring meeting has. */
export const maxOccurrences = 60

/** Longest interval per type: days, weeks, months. */
const intervals = { 1: 90, 2: 12, 3: 3 } as const

const fields = {
  type: oneOfNumbers([1, 2, 3]).meta({
    description: '1 is every so many days, 2 weeks, 3 months.',
    example: 2,
  }),
  repeat_interval: wholeNumber(1, intervals[1]).meta({
    description: 'Every how many of them: at most 90 days, 12 weeks, 3 months.',
    example: 1,
  }),
  weekly_days: numberAsText(
    z
      .string()
      .transform((list) => list.replaceAll(' ', ''))
      .pipe(
        z
          .string()
          .regex(/^[1-7](,[1-7]){0,6}$/, 'must be numbers from 1 (Sunday) to 7 with commas'),
      ),
  )
    .optional()
    .meta({
      description: 'Days of the week with commas between: 1 is Sunday, 7 is Saturday.',
      example: '2,4',
    }),
  monthly_day: wholeNumber(1, 31).optional().meta({
    description: 'Day of the month. Months that do not have it are left out (RFC 5545 §3.3.10).',
    example: 15,
  }),
  monthly_week: oneOfNumbers([-1, 1, 2, 3, 4]).optional().meta({
    description: 'With `monthly_week_day`: which of these days in the month; -1 is the last.',
    example: 1,
  }),
  monthly_week_day: wholeNumber(1, 7).optional().meta({
    description: 'With `monthly_week`: day of the week, 1 is Sunday.',
    example: 2,
  }),
  end_times: wholeNumber(1, maxOccurrences).optional().meta({
    description: 'How many occurrences there are.',
    example: 4,
  }),
}

/** When a meeting recurs, as it is asked for. */
export const NewRecurrence = emptyMembersAsAbsent(
  z
    .object({
      ...fields,
      repeat_interval: zeroAsDefault(fields.repeat_interval, 1).meta({
        description:
          'Every how many of them, 1 when absent or 0: at most 90 days, 12 weeks, 3 months.',
        example: 1,
      }),
      end_times: zeroAsAbsent(wholeNumber(1, maxOccurrences)).meta({
        description: 'How many occurrences there are; as absent when 0.',
        example: 4,
      }),
      end_date_time: SentDateTime.optional().meta({
        description:
          'The last moment at which an occurrence may start, UTC. Where `end_times` is given too, that counts.',
        example: '2026-12-31T23:59:00Z',
      }),
    })
    .superRefine((recurrence, ctx) => {
      for (const [field, message] of faultsOf(recurrence)) {
        ctx.addIssue({ code: 'custom', path: [field], message })
      }
    }),
).meta({
  id: 'NewRecurrence',
  description:
    'When a meeting recurs. Without `weekly_days`, `monthly_day` and `monthly_week` the day of `start_time` counts; without `end_times` and `end_date_time` there is one occurrence.',
  example: { type: 2, repeat_interval: 1, weekly_days: '2,4', end_times: 4 },
})

interface Asked {
  type: 1 | 2 | 3
  repeat_interval: number
  monthly_day?: number | undefined
  monthly_week?: number | undefined
  monthly_week_day?: number | undefined
}

/** What does not go together, by the field that is wrong. */
function* faultsOf(recurrence: Asked): Generator<[field: string, message: string]> {
  const { type, monthly_day, monthly_week, monthly_week_day } = recurrence
  const { repeat_interval } = recurrence
  const longest = intervals[type]
  // What is beyond the days' own bound has been named by then.
  if (repeat_interval > longest && repeat_interval <= intervals[1]) {
    yield ['repeat_interval', `must be at most ${longest}`]
  }
  if (type !== 3) return
  if (monthly_week !== undefined && monthly_day !== undefined) {
    yield ['monthly_week', 'must not stand beside monthly_day']
  }
  if ((monthly_week === undefined) === (monthly_week_day === undefined)) return
  const [missing, given] =
    monthly_week === undefined
      ? ['monthly_week', 'monthly_week_day']
      : ['monthly_week_day', 'monthly_week']
  yield [missing, `is required beside ${given}`]
}

export const Recurrence = z
  .object({
    ...fields,
    end_date_time: Instant.optional().meta({
      description: 'The last moment at which an occurrence may start.',
      example: '2026-12-31T23:59:00Z',
    }),
  })
  .meta({ id: 'Recurrence', description: 'When a meeting recurs.' })
