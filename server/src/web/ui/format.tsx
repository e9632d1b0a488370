const counting = new Intl.NumberFormat('en-GB')
const dates = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})
const minutes = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** A number as people write it: 12,345. */
export const number = (value: number): string => counting.format(value)

/** A count with its noun: 1 skill, 12,345 skills. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`

/** A time to wait: 60 seconds, 15 minutes. */
export const duration = (seconds: number): string =>
  seconds <= 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')

/** A share of 0 to 1 as whole per cent; only all is 100% and only none is 0%. */
export function percent(share: number): string {
  const whole = Math.round(share * 100)
  if (share > 0 && whole === 0) return 'under 1%'
  return share < 1 && whole === 100 ? '99%' : `${whole}%`
}

/** Bytes for people: 512 B, 5.8 KiB, 1.3 MiB. */
export function bytes(size: number): string {
  if (size < 1024) return `${size} B`
  const kibibytes = (size / 1024).toFixed(1)
  return Number(kibibytes) < 1024 ? `${kibibytes} KiB` : `${(size / 1024 ** 2).toFixed(1)} MiB`
}

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A message as a sentence: with a capital and a full stop. */
export const sentence = (text: string): string =>
  capitalised(text) + (text.endsWith('.') ? '' : '.')

/** Milliseconds since 1970, or ISO 8601. */
type Moment = number | string

/** A date for people and machines. Dates, not "3 hours ago": a page may be read from a cache. */
export function Time({ at }: { at: Moment }) {
  const date = new Date(at)
  return (
    <time datetime={date.toISOString()} title={`${minutes.format(date)} UTC`}>
      {dates.format(date)}
    </time>
  )
}

/** A moment, to the minute, for people and machines. */
export function Minute({ at }: { at: Moment }) {
  const date = new Date(at)
  return <time datetime={date.toISOString()}>{minutes.format(date)} UTC</time>
}
