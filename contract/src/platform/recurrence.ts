import { z } from 'zod'
import { SentDateTime } from '../date-time.ts'
import { doc, Instant } from '../schemas.ts'
import {
  emptyMembersAsAbsent,
  numberAsText,
  oneOfNumbers,
  wholeNumber,
  zeroAsAbsent,
  zeroAsDefault,
} from './lenient.ts'

/** Maximum occurrences of a recurring meeting. */
export const maxOccurrences = 60

/** Maximum interval by type: days, weeks, months. */
const intervals = { 1: 90, 2: 12, 3: 3 } as const

const fields = {
  type: oneOfNumbers([1, 2, 3]).meta(doc('Unit of the interval: 1 is days, 2 weeks, 3 months.', 2)),
  repeat_interval: wholeNumber(1, intervals[1]).meta(
    doc('Interval: at most 90 days, 12 weeks or 3 months.', 1),
  ),
  weekly_days: numberAsText(
    z
      .string()
      .transform((list) => list.replaceAll(' ', ''))
      .pipe(
        z
          .string()
          .regex(
            /^[1-7](,[1-7]){0,6}$/,
            'must be numbers from 1 (Sunday) to 7, separated by commas',
          ),
      ),
  )
    .optional()
    .meta(doc('Days of the week, separated by commas: 1 is Sunday, 7 is Saturday.', '2,4')),
  monthly_day: wholeNumber(1, 31)
    .optional()
    .meta(doc('Day of the month. Months without this day are skipped (RFC 5545 §3.3.10).', 15)),
  monthly_week: oneOfNumbers([-1, 1, 2, 3, 4])
    .optional()
    .meta(doc('With `monthly_week_day`: week of the month; -1 is the last.', 1)),
  monthly_week_day: wholeNumber(1, 7)
    .optional()
    .meta(doc('With `monthly_week`: day of the week; 1 is Sunday.', 2)),
  end_times: wholeNumber(0, maxOccurrences)
    .optional()
    .meta({
      description: `Number of occurrences. 0 is a series without end, which has ${maxOccurrences} occurrences.`,
      example: 4,
    }),
}

const endDateTime = SentDateTime.optional().meta({
  description: 'Latest start of an occurrence, UTC. A positive `end_times` takes precedence.',
  example: '2026-12-31T23:59:00Z',
})

export const NewRecurrence = emptyMembersAsAbsent(
  z
    .object({
      ...fields,
      repeat_interval: zeroAsDefault(fields.repeat_interval, 1).meta(
        doc('Interval: at most 90 days, 12 weeks or 3 months. 1 if absent or 0.', 1),
      ),
      end_date_time: endDateTime,
    })
    .superRefine((recurrence, ctx) => {
      for (const [field, message] of findConflicts(recurrence)) {
        ctx.addIssue({ code: 'custom', path: [field], message })
      }
    }),
).meta({
  id: 'NewRecurrence',
  description:
    'Recurrence of a meeting. Without `weekly_days`, `monthly_day` and `monthly_week`, the day of `start_time` applies. Without `end_times` and `end_date_time`, there is one occurrence.',
  example: { type: 2, repeat_interval: 1, weekly_days: '2,4', end_times: 4 },
})

/** A part of a rule. Fields that contradict the rest are found when both are joined. */
export const RecurrenceChanges = emptyMembersAsAbsent(
  z.object({
    ...fields,
    type: fields.type.optional(),
    repeat_interval: zeroAsAbsent(fields.repeat_interval),
    end_date_time: endDateTime,
  }),
).meta({
  id: 'RecurrenceChanges',
  description:
    'Changes to a recurrence. Absent fields keep their values; if `type` changes, only the end does. `end_times` and `end_date_time` replace each other, and so do `monthly_day` and `monthly_week` with `monthly_week_day`.',
  example: { end_times: 6 },
})

/** Yields fields that contradict each other. */
function* findConflicts(
  recurrence: z.infer<typeof Recurrence>,
): Generator<[field: string, message: string]> {
  const { type, monthly_day, monthly_week, monthly_week_day } = recurrence
  const { repeat_interval } = recurrence
  const longest = intervals[type]
  // The schema of the field already reports an interval beyond 90.
  if (repeat_interval > longest && repeat_interval <= intervals[1]) {
    yield ['repeat_interval', `must be at most ${longest}`]
  }
  if (type !== 3) return
  if (monthly_week !== undefined && monthly_day !== undefined) {
    yield ['monthly_week', 'must not be combined with monthly_day']
  }
  if ((monthly_week === undefined) === (monthly_week_day === undefined)) return
  const [missing, given] =
    monthly_week === undefined
      ? ['monthly_week', 'monthly_week_day']
      : ['monthly_week_day', 'monthly_week']
  yield [missing, `is required with ${given}`]
}

export const Recurrence = z
  .object({
    ...fields,
    end_date_time: Instant.optional().meta(
      doc('Latest start of an occurrence.', '2026-12-31T23:59:00Z'),
    ),
  })
  .meta({ id: 'Recurrence', description: 'Recurrence of a meeting.' })
