import { bounds } from '@skillpass/contract'
import type { Request } from 'express'
import { fail } from '../../errors/failure.ts'

export interface Form {
  /** The value of a field, empty where it is absent. Twice: a failure 400. */
  one(name: string): string
  all(name: string): string[]
}

/** The form that `readFormText` has read. NUL, or more fields than any form has: a failure 400. */
export function formOf(req: Request): Form {
  const body: unknown = req.body
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

/** The one of the choices that a field holds. Another: a failure 400. */
export function readChoice<T extends string>(form: Form, name: string, choices: readonly T[]): T {
  return chosen(form.one(name), name, choices)
}

/** The one of the choices that is named; a failure 400 says of `name` which there are. */
export const chosen = <T extends string>(text: string, name: string, choices: readonly T[]): T =>
  choices.find((choice) => choice === text) ?? fail(400, `${name} must be ${choices.join(' or ')}.`)

export const readDecision = (form: Form): boolean =>
  readChoice(form, 'decision', ['allow', 'deny']) === 'allow'
