import type { ComponentChildren } from 'preact'
import { capitalize } from './format.tsx'
import { useSite } from './site.ts'

/** Error messages by field name; the empty name is the form as a whole. */
export type FieldIssues = Readonly<Record<string, string>>

interface FieldProps {
  name: string
  label: string
  value: string
  hint?: ComponentChildren
  issue?: string | undefined
}

/** Ids of the elements that describe a field: its error first, then its hint. */
const describedBy = ({ name, hint, issue }: FieldProps) =>
  [issue && `${name}-mistake`, hint && `${name}-hint`].filter(Boolean).join(' ') || undefined

const Description = ({ name, hint, issue }: FieldProps) => (
  <>
    {hint && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {issue && (
      <p class="mistake" id={`${name}-mistake`}>
        {issue}
      </p>
    )}
  </>
)

interface TextFieldProps extends FieldProps {
  required?: boolean
  maxLength?: number
  placeholder?: string
  /** Number of lines of a text area; absent for a single-line input. */
  rows?: number
  number?: { min: number; max: number; step: number | 'any' }
  /** Wraps the lines and lets the browser check the spelling. */
  prose?: boolean
}

export function TextField(props: TextFieldProps) {
  const { name, label, hint, issue, rows, number, prose, ...input } = props
  const shared = {
    id: name,
    name,
    ...input,
    ...(number ? { type: 'number', ...number } : { autocomplete: 'off' }),
    spellcheck: prose || number ? undefined : false,
    dir: prose ? ('auto' as const) : undefined,
    'aria-describedby': describedBy(props),
    'aria-invalid': issue ? ('true' as const) : undefined,
  }
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <Description {...props} />
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

interface ChoiceFieldProps extends FieldProps {
  /** The description of each value. Its label is the value, capitalized. */
  options: Readonly<Record<string, string>>
  class?: string
}

export function ChoiceField(props: ChoiceFieldProps) {
  const { name, label, value, options } = props
  return (
    <fieldset class={`field ${props.class ?? ''}`} aria-describedby={describedBy(props)}>
      <legend>{label}</legend>
      <Description {...props} />
      {Object.entries(options).map(([option, description]) => (
        <Tick
          type="radio"
          name={name}
          value={option}
          label={capitalize(option)}
          description={description}
          checked={option === value}
        />
      ))}
    </fieldset>
  )
}

interface TickProps {
  type: 'radio' | 'checkbox'
  name: string
  value: string
  label: string
  description: string
  checked: boolean
}

/** A checkbox or radio button with a label and a description. */
export function Tick({ type, name, value, label, description, checked }: TickProps) {
  const id = `${name}-${value}`
  return (
    <div class="tick">
      <input
        type={type}
        id={id}
        name={name}
        value={value}
        checked={checked}
        aria-describedby={`${id}-description`}
      />
      <div>
        <label for={id}>{label}</label>
        <p class="hint" id={`${id}-description`}>
          {description}
        </p>
      </div>
    </div>
  )
}

/** The error of the form as a whole, or a pointer to the errors of its fields. */
export function FormIssue({ issues }: { issues: FieldIssues }) {
  if (Object.keys(issues).length === 0) return null
  return <Refusal>{issues[''] ?? 'Fix the fields below.'}</Refusal>
}

/** An error message. A field can refer to its `id`. */
export const Refusal = ({ id, children }: { id?: string; children: ComponentChildren }) => (
  <p class="refusal" role="alert" id={id}>
    {children}
  </p>
)

export interface SubmitProps {
  look?: 'plain' | 'plain danger' | undefined
  /** Field that is sent if this button submits the form. */
  name?: string
  value?: string
  children: ComponentChildren
}

export const Submit = ({ look, name, value, children }: SubmitProps) => (
  <button class={look ? `button ${look}` : 'button'} type="submit" name={name} value={value}>
    {children}
  </button>
)

/** Confirms the action that the `done` query parameter names. */
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
