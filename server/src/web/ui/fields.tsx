import type { ComponentChildren } from 'preact'
import { useSite } from './site.ts'

/** What is wrong with the fields of a form, by their names; the empty name is the form as a whole. */
export type FieldIssues = Readonly<Record<string, string>>

interface Described {
  id: string
  hint?: ComponentChildren
  issue?: string | undefined
}

/** The elements that describe a field: what is wrong with it first, then what it is for. */
const describedBy = ({ id, hint, issue }: Described) =>
  [issue && `${id}-mistake`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined

function Description({ id, hint, issue }: Described) {
  return (
    <>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {issue && (
        <p class="mistake" id={`${id}-mistake`}>
          {issue}
        </p>
      )}
    </>
  )
}

interface FieldProps {
  name: string
  label: string
  /** As it was typed. */
  value: string
  hint?: ComponentChildren
  issue?: string | undefined
}

interface TextFieldProps extends FieldProps {
  required?: boolean
  maxLength?: number
  placeholder?: string
  /** Lines of a field for several; absent for one line. */
  rows?: number
  /** Set for a number: its bounds, and what it is a multiple of. */
  number?: { min: number; max: number; step: number | 'any' }
  /** Set where the lines are prose: they wrap, and spelling is the browser's business. */
  prose?: boolean
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, issue, rows, number, prose, ...input } = props
  const described = { id: name, hint, issue }
  const shared = {
    id: name,
    name,
    ...input,
    ...(number ? { type: 'number', ...number } : { autocomplete: 'off' }),
    spellcheck: prose || number ? undefined : false,
    dir: prose ? ('auto' as const) : undefined,
    'aria-describedby': describedBy(described),
    'aria-invalid': issue ? ('true' as const) : undefined,
  }
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <Description {...described} />
      {rows === undefined ? (
        <input {...shared} />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          class={prose ? 'prose' : 'mono'}
          wrap={prose ? 'soft' : 'off'}
        />
      )}
    </div>
  )
}

interface Option {
  value: string
  label: string
  words: string
}

interface ChoiceFieldProps extends FieldProps {
  options: readonly Option[]
  class?: string
}

export function ChoiceField({ name, label, value, options, ...rest }: ChoiceFieldProps) {
  const described = { id: name, hint: rest.hint, issue: rest.issue }
  return (
    <fieldset class={`field ${rest.class ?? ''}`} aria-describedby={describedBy(described)}>
      <legend>{label}</legend>
      <Description {...described} />
      {options.map((option) => (
        <Tick
          key={option.value}
          type="radio"
          name={name}
          {...option}
          checked={option.value === value}
        />
      ))}
    </fieldset>
  )
}

interface TickProps extends Option {
  type: 'radio' | 'checkbox'
  name: string
  checked: boolean
}

/** A box or a round button to tick, named by its label and described by its sentence. */
export function Tick({ type, name, value, label, words, checked }: TickProps) {
  const id = `${name}-${value}`
  return (
    <div class="tick">
      <input
        type={type}
        id={id}
        name={name}
        value={value}
        checked={checked}
        aria-describedby={`${id}-words`}
      />
      <div>
        <label for={id}>{label}</label>
        <p class="hint" id={`${id}-words`}>
          {words}
        </p>
      </div>
    </div>
  )
}

/** What is wrong with a form as a whole, or that something is wrong below. */
export function FormIssue({ issues }: { issues: FieldIssues }) {
  if (Object.keys(issues).length === 0) return null
  return <Refusal>{issues[''] ?? 'Fix the fields below.'}</Refusal>
}

/** Says why something was refused; with an `id` where a field is described by it. */
export function Refusal({ id, children }: { id?: string; children: ComponentChildren }) {
  return (
    <p class="refusal" role="alert" id={id}>
      {children}
    </p>
  )
}

export interface SubmitProps {
  look?: 'plain' | 'plain danger' | undefined
  /** What the form says where this button of several sends it. */
  name?: string
  value?: string
  children: ComponentChildren
}

export function Submit({ look, name, value, children }: SubmitProps) {
  return (
    <button class={look ? `button ${look}` : 'button'} type="submit" name={name} value={value}>
      {children}
    </button>
  )
}

/** Says what was just done, if the address names one of these acts. */
export function Done({ notes }: { notes: Readonly<Record<string, string>> }) {
  const { done = '' } = useSite()
  if (!Object.hasOwn(notes, done)) return null
  return (
    <p class="notice" role="status">
      {notes[done]}
    </p>
  )
}

export function More({ path, children }: { path: string | undefined; children: string }) {
  if (!path) return null
  return (
    <p>
      <a href={path}>{children}</a>
    </p>
  )
}
