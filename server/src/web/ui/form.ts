import { bounds } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'

export interface Form {
  /** The value of a field, or '' if it is absent. Throws 400 if the field appears twice. */
  one(name: string): string
  all(name: string): string[]
}

/** Parses the body that `readFormText` read. Throws 400 for NUL characters or too many fields. */
export function formOf(body: unknown): Form {
  const fields = new URLSearchParams(typeof body === 'string' ? body : '')
  if (fields.size > bounds.formParameters) fail(400, 'The form has too many fields.')
  for (const value of fields.values()) {
    if (value.includes('\0')) fail(400, 'The form contains characters that are not text.')
  }
  return {
    one(name) {
      const [value = '', ...more] = fields.getAll(name)
      if (more.length > 0) fail(400, `${name} appears in the form more than once.`)
      return value
    },
    all: (name) => fields.getAll(name),
  }
}

/** Returns the choice that equals a field's text. Throws a 400 that lists the choices otherwise. */
export const readChoice = <T extends string>(text: string, name: string, choices: readonly T[]) =>
  choices.find((choice) => choice === text) ?? fail(400, `${name} must be ${choices.join(' or ')}.`)
