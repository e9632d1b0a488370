const counting = new Intl.NumberFormat('en-GB')
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const minutes = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Formats a number: 12,345. */
export const number = (value: number): string => counting.format(value)

/** A count with its noun: 1 skill, 12,345 skills. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${number(value)} ${value === 1 ? one : many}`

/** Formats a waiting time: 60 seconds, 15 minutes. */
export const duration = (seconds: number): string =>
  seconds <= 120 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute')

/** Formats a share from 0 to 1 as whole percent. Only 1 is shown as 100%, and only 0 as 0%. */
export function percent(share: number): string {
  const whole = Math.round(share * 100)
  if (share > 0 && whole === 0) return 'under 1%'
  return share < 1 && whole === 100 ? '99%' : `${whole}%`
}

/** Formats a size: 512 B, 5.8 KiB, 1.3 MiB. */
export function bytes(size: number): string {
  if (size < 1024) return `${size} B`
  const kibibytes = (size / 1024).toFixed(1)
  return Number(kibibytes) < 1024 ? `${kibibytes} KiB` : `${(size / 1024 ** 2).toFixed(1)} MiB`
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Makes a message a sentence, with a capital letter and a full stop. */
export const sentence = (text: string): string => capitalize(text) + (text.endsWith('.') ? '' : '.')

/** Milliseconds since 1970, or ISO 8601. */
type Moment = number | string

/** A date. Never relative ("3 hours ago"), since the page may be cached. */
export function Time({ at }: { at: Moment }) {
  const date = new Date(at)
  return (
    <time datetime={date.toISOString()} title={`${minutes.format(date)} UTC`}>
      {dates.format(date)}
    </time>
  )
}

export function Minute({ at }: { at: Moment }) {
  const date = new Date(at)
  return <time datetime={date.toISOString()}>{minutes.format(date)} UTC</time>
}
