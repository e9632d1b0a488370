import type { ComponentChildren } from 'preact'
import { number } from './format.tsx'
import { Icon } from './icons.tsx'

interface SectionProps {
  id: string
  title: ComponentChildren
  level?: 2 | 3
  class?: string
  children: ComponentChildren
}

export function Section({ id, title, level = 2, children, ...rest }: SectionProps) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <section {...rest} aria-labelledby={id}>
      <Heading id={id}>{title}</Heading>
      {children}
    </section>
  )
}

type Fact = readonly [term: string, value: ComponentChildren]

/** A description list. Facts without a value are omitted. */
export const Facts = (props: { facts: readonly Fact[]; class?: string }) => (
  <dl class={props.class ?? 'facts'}>
    {props.facts.map(
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

interface CountedProps {
  value: number
  one: string
  many?: string
}

/** A count with its noun, the number in bold. */
export const Counted = ({ value, one, many = `${one}s` }: CountedProps) => (
  <>
    <strong>{number(value)}</strong> {value === 1 ? one : many}
  </>
)

/** A count as a list item. Zero is omitted, since it would make new skills look bad. */
export const CountItem = ({ icon, ...counted }: CountedProps & { icon?: 'star' | 'fetch' }) =>
  counted.value > 0 && (
    <li>
      {icon && <Icon name={icon} />}
      <Counted {...counted} />
    </li>
  )
