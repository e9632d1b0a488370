import { Failure } from '../../errors/failure.ts'
import type { FieldIssues } from './fields.tsx'
import { sentence } from './parts.tsx'

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
    if (!(error instanceof Failure) || !refusals.has(error.code)) throw error
    return { issues: issuesOf(error, fieldOf) }
  }
}

/** Codes of failures that result from the form's input. */
const refusals = new Set<Failure['code']>([400, 'not_allowed_now', 'insufficient_scope'])

function issuesOf({ message: whole, details = [] }: Failure, fieldOf: FieldOf): FieldIssues {
  const all = details.length > 0 ? details : [{ path: '', message: whole }]
  const issues: Record<string, string> = {}
  for (const { path, message } of all) {
    const { field, prefix = '' } = fieldOf(path === '' ? [] : path.split('.')) ?? { field: '' }
    const lines = new Set(issues[field]?.split('\n'))
    issues[field] = [...lines.add(sentence(prefix + message))].join('\n')
  }
  return issues
}
