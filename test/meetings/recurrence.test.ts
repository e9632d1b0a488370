import {
  completeRule,
  expandRule,
  type LocalTime,
  localTime,
  type RecurrenceRule,
  readDateTime,
  wholeSeconds,
} from '@skillpass/server/internal/meetings/meeting-times'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundsOf } from '../support/rounds.ts'
import { words } from '../support/words.ts'

function start(sent: string, timeZone: string): LocalTime {
  const read = readDateTime(sent, timeZone)
  if (!read) throw new Error(`${sent} is no time in ${timeZone}`)
  return read
}

/** Start times of a rule in UTC. */
function times(sent: string, timeZone: string, rule: Partial<RecurrenceRule>): string[] {
  const from = start(sent, timeZone)
  const whole = completeRule({ type: 1, repeat_interval: 1, ...rule }, from)
  return expandRule(whole, from, timeZone, 50).map(wholeSeconds)
}

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']
const clocks = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }),
  ]),
)
const clockOf = (time: number, zone: string) => clocks.get(zone)?.format(time)

test('an occurrence whose local time is skipped is moved forward, on that day alone', () => {
  // On 8 March 2026 New York skips 02:30, and on 29 March Berlin does.
  expect(times('2026-03-07T02:30:00', 'America/New_York', { end_times: 3 })).toEqual(
    words('2026-03-07T07:30:00Z 2026-03-08T07:30:00Z 2026-03-09T06:30:00Z'),
  )
  expect(times('2026-03-28T02:30:00', 'Europe/Berlin', { end_times: 3 })).toEqual(
    words('2026-03-28T01:30:00Z 2026-03-29T01:30:00Z 2026-03-30T00:30:00Z'),
  )
})

test('a day that the time zone skips causes no duplicate occurrence', () => {
  const days = times('2011-12-28T10:00:00', 'Pacific/Apia', { end_times: 5 })
  const first = Date.parse(days[0] ?? '')
  expect(days.map((day) => Date.parse(day))).toEqual(
    [0, 1, 2, 3, 4].map((day) => first + day * 86_400_000),
  )
})

test('a local time that occurs twice means the first, unless the start has an offset', () => {
  // On 1 November 2026 New York has 01:30 twice, on 25 October Berlin has 02:30 twice.
  expect(times('2026-10-31T01:30:00', 'America/New_York', { end_times: 3 })).toEqual(
    words('2026-10-31T05:30:00Z 2026-11-01T05:30:00Z 2026-11-02T06:30:00Z'),
  )
  expect(times('2026-10-25T01:30:00Z', 'Europe/Berlin', { end_times: 2 })).toEqual(
    words('2026-10-25T01:30:00Z 2026-10-26T01:30:00Z'),
  )
})

test('a monthly rule for day 31 skips shorter months (RFC 5545 §3.3.10)', () => {
  const rule = { type: 3, monthly_day: 31, end_times: 4 } as const
  expect(times('2026-12-15T10:00:00Z', 'UTC', rule)).toEqual(
    words('2026-12-31T10:00:00Z 2027-01-31T10:00:00Z 2027-03-31T10:00:00Z 2027-05-31T10:00:00Z'),
  )
})

test('a weekly rule repeats its weekdays every repeat_interval weeks, counted from the week of the start', () => {
  const rule = { type: 2, weekly_days: '1,4', repeat_interval: 2, end_times: 4 } as const
  expect(times('2026-12-02T10:00:00Z', 'UTC', rule)).toEqual(
    words('2026-12-02T10:00:00Z 2026-12-13T10:00:00Z 2026-12-16T10:00:00Z 2026-12-27T10:00:00Z'),
  )
})

test('a monthly rule for a weekday counts from the first one, and -1 is the last one', () => {
  const second = { type: 3, monthly_week: 2, monthly_week_day: 3, end_times: 2 } as const
  expect(times('2026-12-01T10:00:00Z', 'UTC', second)).toEqual(
    words('2026-12-08T10:00:00Z 2027-01-12T10:00:00Z'),
  )
  const last = { type: 3, monthly_week: -1, monthly_week_day: 1, end_times: 4 } as const
  expect(times('2026-11-01T10:00:00Z', 'UTC', last)).toEqual(
    words('2026-11-29T10:00:00Z 2026-12-27T10:00:00Z 2027-01-31T10:00:00Z 2027-02-28T10:00:00Z'),
  )
})

const end = fc.oneof(
  fc.record({ end_times: fc.integer({ min: 1, max: 50 }) }),
  fc
    .date({ min: new Date('2026-01-01'), max: new Date('2029-01-01'), noInvalidDate: true })
    .map((date) => ({ end_date_time: wholeSeconds(date.getTime()) })),
)
const days = fc
  .uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 })
  .map((list) => list.join(','))
const daily = fc.record({
  type: fc.constant(1 as const),
  repeat_interval: fc.integer({ min: 1, max: 90 }),
})
const weekly = fc.record({
  type: fc.constant(2 as const),
  repeat_interval: fc.integer({ min: 1, max: 12 }),
  weekly_days: days,
})
const months = { type: fc.constant(3 as const), repeat_interval: fc.integer({ min: 1, max: 3 }) }
const monthly = fc.oneof(
  fc.record({ ...months, monthly_day: fc.integer({ min: 1, max: 31 }) }),
  fc.record({
    ...months,
    monthly_week: fc.constantFrom(-1 as const, 1 as const, 2 as const, 3 as const, 4 as const),
    monthly_week_day: fc.integer({ min: 1, max: 7 }),
  }),
)
const anyRule = fc
  .tuple(fc.oneof(daily, weekly, monthly), end)
  .map(([rule, until]): RecurrenceRule => ({ ...rule, ...until }))
const anyStart = fc
  .integer({ min: Date.parse('2026-01-01'), max: Date.parse('2028-01-01') })
  .map((ms) => Math.floor(ms / 60_000) * 60_000)

const expanded = (
  check: (found: number[], rule: RecurrenceRule, from: LocalTime, zone: string) => void,
) =>
  fc.assert(
    fc.property(anyRule, anyStart, fc.constantFrom(...zones), (rule, ms, zone) => {
      const from = localTime(ms, zone)
      const whole = completeRule(rule, from)
      check(expandRule(whole, from, zone, 50), whole, from, zone)
    }),
    { numRuns: roundsOf(150) },
  )

test('the occurrences of any rule are in order, within its bounds and at its local time', () => {
  expanded((found, { end_times, end_date_time }, { time }, zone) => {
    if (end_times !== undefined) expect(found).toHaveLength(end_times)
    expect(found.length).toBeLessThanOrEqual(50)
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b))
    for (const one of found) {
      expect(one).toBeGreaterThanOrEqual(time)
      if (end_date_time) expect(one).toBeLessThanOrEqual(Date.parse(end_date_time))
    }
    for (const one of found.filter((one) => clockOf(one, zone) !== clockOf(time, zone))) {
      // It was moved forward, so the clocks changed within the preceding day.
      const offsetAt = (ms: number) => localTime(ms, zone).clock.toString()
      const before = Date.parse(`${offsetAt(one - 86_400_000)}Z`) - (one - 86_400_000)
      const after = Date.parse(`${offsetAt(one)}Z`) - one
      expect(after).toBeGreaterThan(before)
    }
  })
})
