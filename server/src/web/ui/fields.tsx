import type { ComponentChildren, JSX } from 'preact'
import { Failure, isRegistryCode } from '../../errors/failure.ts'
import { snakeName } from '../../text/case.ts'
import { type Form, readChoice } from './form.ts'
import { capitalize, duration, sentence } from './parts.tsx'
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

type Automation = 'autocomplete' | 'autofocus' | 'autocapitalize'
type InputProps = { class?: string } & Pick<
  JSX.InputHTMLAttributes<HTMLInputElement>,
  'required' | 'maxLength' | 'placeholder' | 'type' | Automation
>

/**
 * A field: radio buttons if it has `options`, a checkbox with a `description`, otherwise a text.
 */
export interface FieldSpec extends InputProps {
  label: string
  hint?: string
  /** The description of each option. Its label is the option, capitalized. */
  options?: Readonly<Record<string, string>>
  description?: string
  /** Number of lines of a text area; absent for a single-line input. */
  rows?: number
  number?: { min: number; max: number; step: number | 'any' }
  /** Wraps the lines and lets the browser check the spelling. */
  prose?: boolean
  /** Whether the error of the form as a whole is about this field. */
  refused?: boolean
}

export type FieldSpecs = Readonly<Record<string, FieldSpec>>

export type ValuesOf<F extends FieldSpecs> = {
  readonly [K in keyof F]: F[K] extends { options: infer O }
    ? keyof O & string
    : F[K] extends { description: string }
      ? boolean
      : string
}

/**
 * Describes the fields of a form, by their names in camel case. `read` reads their values and
 * throws 400 for another choice. `show` returns a function that shows a field with its value and
 * error. The focus goes to the first field with an error.
 */
export const describeFields = <F extends FieldSpecs>(specs: F) => ({
  read: ({ one }: Form) =>
    Object.fromEntries(
      Object.entries(specs).map(([key, { options, description, rows }]) => {
        const name = snakeName(key)
        const text = one(name)
        if (options) return [key, readChoice(text, name, Object.keys(options))]
        if (description !== undefined) return [key, text === 'on']
        return [key, rows === undefined ? text.trim() : text]
      }),
    ) as ValuesOf<F>,
  show(values: Partial<ValuesOf<F>>, issues: FieldIssues = {}) {
    const first = Object.keys(specs).find((key) => issues[snakeName(key)])
    return (key: keyof F & string, changes: Partial<FieldSpec> = {}) => {
      const name = snakeName(key)
      const state = { name, value: values[key] ?? '', issue: issues[name] }
      const focus = first === undefined ? {} : { autofocus: key === first }
      return <Field {...state} {...(specs[key] as FieldSpec)} {...changes} {...focus} />
    }
  },
})

export interface FieldProps extends FieldSpec {
  name: string
  value: string | boolean
  issue: string | undefined
}

function Field(props: FieldProps) {
  const { name, value, label, options, description } = props
  if (options) return <ChoiceField {...props} options={options} />
  if (description === undefined) return <TextField {...props} />
  const texts = { label, description }
  return <Tick type="checkbox" name={name} value="on" {...texts} checked={value === true} />
}

/** Ids of the elements that describe a field: its error first, then its hint. */
const describedBy = ({ name, hint, issue, refused }: FieldProps) =>
  [refused && 'refusal', issue && `${name}-mistake`, hint && `${name}-hint`]
    .filter(Boolean)
    .join(' ') || undefined

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

export function TextField(props: FieldProps) {
  const { name, value, label, hint, issue, rows, number, prose, refused, ...input } = props
  const shared = {
    id: name,
    name,
    value: String(value),
    ...input,
    ...(number ? { type: 'number', ...number } : { autocomplete: input.autocomplete ?? 'off' }),
    spellcheck: prose || number ? undefined : false,
    dir: prose ? ('auto' as const) : undefined,
    'aria-describedby': describedBy(props),
    'aria-invalid': issue || refused ? ('true' as const) : undefined,
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

const ChoiceField = ({ options, ...props }: FieldProps & Required<Pick<FieldSpec, 'options'>>) => (
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

interface TickProps extends Required<Pick<FieldSpec, 'label' | 'description'>> {
  type: 'radio' | 'checkbox'
  name: string
  value: string
  checked: boolean
}

/** A checkbox or radio button with a label and a description. */
function Tick({ type, label, description, ...input }: TickProps) {
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
  Object.keys(issues).length > 0 && (
    <Refusal id="refusal">{issues[''] ?? 'Fix the fields below.'}</Refusal>
  )

/** An error message. */
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

/**
 * Maps the path of an issue to the form field that shows it, with a prefix for the message;
 * undefined for the form as a whole.
 */
type FieldOf = (path: readonly string[]) => { field: string; prefix?: string } | undefined

/**
 * Saves a form. Returns its issues by field if the input is refused, and rethrows other failures.
 */
export async function trySaving<T>(save: () => Promise<T>, fieldOf: FieldOf) {
  try {
    return { made: await save() }
  } catch (error) {
    const isRefusal =
      error instanceof Failure && (refusals.has(error.code) || isRegistryCode(error.code))
    if (!isRefusal) throw error
    return { issues: issuesOf(error, fieldOf), refusal: error }
  }
}

/** Codes of failures that result from the form's input, as those of the registry do. */
const refusals = new Set<Failure['code']>([400, 429, 'not_allowed_now', 'insufficient_scope'])

function issuesOf(failure: Failure, fieldOf: FieldOf): FieldIssues {
  const { details = [], retryAfter = 0 } = failure
  const tooMany = `Too many forms came from your network. Try again in ${duration(retryAfter)}.`
  const all = details.length > 0 ? details : [{ path: '', message: failure.message || tooMany }]
  const issues: Record<string, string> = {}
  for (const { path, message } of all) {
    const { field, prefix = '' } = fieldOf(path === '' ? [] : path.split('.')) ?? { field: '' }
    const lines = new Set(issues[field]?.split('\n'))
    issues[field] = [...lines.add(sentence(prefix + message))].join('\n')
  }
  return issues
}
