import { bounds } from '@skillpass/contract'
import type { ComponentChildren } from 'preact'

const counting = new Intl.NumberFormat('en-GB')
const utc = { dateStyle: 'medium', timeZone: 'UTC' } as const
const dates = new Intl.DateTimeFormat('en-GB', utc)
const minutes = new Intl.DateTimeFormat('en-GB', { ...utc, timeStyle: 'short' })

/** Formats a number: 12,345. */
export const number = (value: number): string => counting.format(value)

/** A count with its noun: 1 skill, 12,345 skills. */
export const counted = (value: number, one: string): string =>
  `${number(value)} ${value === 1 ? one : `${one}s`}`

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

export const Minute = ({ at }: { at: Moment }) => (
  <time datetime={new Date(at).toISOString()}>{minutes.format(new Date(at))} UTC</time>
)

const paths = {
  star: 'M8 1.2l2 4.3 4.7.6-3.5 3.2.9 4.7L8 11.7 3.9 14l.9-4.7L1.3 6.100l4.7-.6Z',
  fetch:
    'M7.200 1.500h1.600v6.700l2.600-2.600 1.100 1.100L8 11.200 3.500 6.700l1.100-1.100 2.600 2.600ZM2 13h12v1.600H2Z',
  warn: 'M8 1.200 15.400 14.400H.600ZM7.200 6v4.200h1.600V6ZM7.200 11.400V13h1.600v-1.600Z',
  yes: 'M6.300 12.400 2.200 8.300l1.200-1.200 2.900 2.900 6.300-6.300 1.200 1.200Z',
  no: 'M3.900 2.800 8 6.900l4.100-4.100 1.100 1.100L9.100 8l4.100 4.100-1.100 1.100L8 9.100l-4.100 4.100-1.100-1.100L6.900 8 2.800 3.900Z',
}

/** A decorative icon, hidden from screen readers. */
export const Icon = ({ name }: { name: keyof typeof paths }) => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)

interface SectionProps {
  id: string
  title: ComponentChildren
  level?: 2 | 3
  class?: string
  children: ComponentChildren
}

export function Section({ id, title, level = 2, children, ...rest }: SectionProps) {
  const Heading = `h${level}` as const
  return (
    <section {...rest} aria-labelledby={id}>
      <Heading id={id}>{title}</Heading>
      {children}
    </section>
  )
}

interface Link {
  label: ComponentChildren
  path: string
  /** Value of aria-current: 'page' for the current page, 'true' for an ancestor or a choice. */
  current?: 'page' | 'true' | false | undefined
}

export const LinkList = ({ links }: { links: readonly Link[] }) => (
  <ul>
    {links.map(({ label, path, current }) => (
      <li>
        <a href={path} aria-current={current || undefined}>
          {label}
        </a>
      </li>
    ))}
  </ul>
)

type Fact = readonly [term: string, value: ComponentChildren]

/** A description list. Facts without a value are omitted. */
export const Facts = ({ facts, ...rest }: { facts: readonly Fact[]; class?: string }) => (
  <dl class={rest.class ?? 'facts'}>
    {facts.map(
      ([term, value]) =>
        value && (
          <>
            <dt dir="auto">{term}</dt>
            <dd dir="auto">{value}</dd>
          </>
        ),
    )}
  </dl>
)

type CountItemProps = { value: number; one: string; many?: string; icon?: 'star' | 'fetch' }

/** A count as a list item. Zero is omitted, since it would make new skills look bad. */
export const CountItem = ({ value, one, many = `${one}s`, icon }: CountItemProps) =>
  value > 0 && (
    <li>
      {icon && <Icon name={icon} />}
      <strong>{number(value)}</strong> {value === 1 ? one : many}
    </li>
  )

/**
 * A command to copy. `assets/copy.js` adds a button; without scripts, the keyboard can reach the
 * text.
 */
export const Command = ({ text }: { text: string }) => (
  <div class="command">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users focus the command to select it */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  </div>
)

/** Quotes a text as one word of a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

interface SearchFormProps {
  value?: string
  /** Fields to send with the words; empty ones are omitted. */
  keep?: Record<string, string | undefined>
}

export const SearchForm = ({ value, keep = {} }: SearchFormProps) => (
  <search class="search">
    <form action="/search" method="get">
      <label class="hidden" for="q">
        Search skills
      </label>
      <input
        id="q"
        name="q"
        type="search"
        value={value ?? ''}
        maxLength={bounds.query}
        placeholder="Search skills"
        autocomplete="off"
      />
      {Object.entries(keep).map(
        ([name, kept]) => kept && <input type="hidden" name={name} value={kept} />,
      )}
      <button type="submit">Search</button>
    </form>
  </search>
)
