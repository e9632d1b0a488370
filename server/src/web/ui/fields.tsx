import type { ComponentChildren } from 'preact'
import { capitalize } from './parts.tsx'
import { type HiddenFields, useSite } from './site.ts'

export interface PostFormProps {
  action: string
  values?: HiddenFields
  class?: string
  /** Errors to show above the form. */
  issues?: FieldIssues
  /** Label of a button below the fields. */
  submit?: string
  children: ComponentChildren
}

/** A POST form. Its CSRF token is bound to the browser, the action and the hidden fields. */
export function PostForm(props: PostFormProps) {
  const { action, values = {}, issues = {}, submit, children } = props
  return (
    <>
      <FormIssue issues={issues} />
      <form method="post" action={action} class={props.class}>
        <input type="hidden" name="csrf" value={useSite().formToken(action, values)} />
        {Object.entries(values).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        {children}
        {submit && (
          <p>
            <Submit>{submit}</Submit>
          </p>
        )}
      </form>
    </>
  )
}

/** Error messages by field name; the empty name is the form as a whole. */
export type FieldIssues = Readonly<Record<string, string>>

interface FieldProps {
  name: string
  label: string
  value: string
  hint?: ComponentChildren
  issue?: string | undefined
}

/** Returns the properties that the fields of a form share: name, value and error. */
export const fieldsOf =
  <N extends string>(values: Readonly<Record<N, string>>, issues: FieldIssues) =>
  (name: N) => ({ name, value: values[name], issue: issues[name] })

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

export const ChoiceField = ({ options, ...props }: ChoiceFieldProps) => (
  <fieldset class={`field ${props.class ?? ''}`} aria-describedby={describedBy(props)}>
    <legend>{props.label}</legend>
    <Description {...props} />
    {Object.entries(options).map(([option, description]) => (
      <Tick
        type="radio"
        name={props.name}
        value={option}
        label={capitalize(option)}
        description={description}
        checked={option === props.value}
      />
    ))}
  </fieldset>
)

interface TickProps extends Pick<FieldProps, 'name' | 'label' | 'value'> {
  type: 'radio' | 'checkbox'
  description: string
  checked: boolean
}

/** A checkbox or radio button with a label and a description. */
export function Tick({ type, label, description, ...input }: TickProps) {
  const id = `${input.name}-${input.value}`
  return (
    <div class="tick">
      <input type={type} id={id} {...input} aria-describedby={`${id}-description`} />
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
export const FormIssue = ({ issues }: { issues: FieldIssues }) =>
  Object.keys(issues).length > 0 && <Refusal>{issues[''] ?? 'Fix the fields below.'}</Refusal>

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
  return <Notice>{notes[done]}</Notice>
}

/** A message about a completed action. */
export const Notice = ({ children }: { children: ComponentChildren }) => (
  <p class="notice" role="status">
    {children}
  </p>
)

export const More = ({ path, children }: { path: string | undefined; children: string }) =>
  path && (
    <p>
      <a href={path}>{children}</a>
    </p>
  )
