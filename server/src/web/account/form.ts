import { bounds } from '@skillpass/contract'
import type { Request } from 'express'
import { fail } from '../../errors/failure.ts'

/** The fields of a form. */
export interface Form {
  /** The value of a field, empty where it is absent. Twice: 400. */
  one(name: string): string
  /** The values of a field that may be repeated. */
  all(name: string): string[]
}

/** The form that `readFormText` has read. NUL, or more fields than any form has: 400. */
export function formOf(req: Request): Form {
  const body: unknown = req.body
  const fields = new URLSearchParams(typeof body === 'string' ? body : '')
  if (fields.size > bounds.formParameters) fail(400, 'The form has too many fields.')
  for (const value of fields.values()) {
    if (value.includes('\0')) fail(400, 'The form holds characters that are no text.')
  }
  return {
    one(name) {
      const [value = '', ...more] = fields.getAll(name)
      if (more.length > 0) fail(400, `${name} stands in the form more than once.`)
      return value
    },
    all: (name) => fields.getAll(name),
  }
}

/** Whether a person chose Allow. Anything but the two buttons: 400. */
export function readDecision(form: Form): boolean {
  const decision = form.one('decision')
  if (decision !== 'allow' && decision !== 'deny') {
    fail(400, 'decision is allow or deny.')
  }
  return decision === 'allow'
}
