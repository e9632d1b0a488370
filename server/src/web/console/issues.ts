import { type AppEnvironment, environments } from '../../apps/settings.ts'
import { Failure } from '../../errors/failure.ts'
import { parseChoice } from '../account/form.ts'
import type { FieldIssues } from '../ui/fields.tsx'
import { sentence } from '../ui/format.tsx'

/**
 * Maps the path of an issue to the form field that shows it, with a prefix for the message; undefined
 * for the form as a whole.
 */
type FieldOf = (path: readonly string[]) => { field: string; prefix?: string } | undefined

type Saved<T> = { made: T; issues?: undefined } | { issues: FieldIssues }

/** Saves a form. Returns its issues by field if the input is refused, and rethrows other failures. */
export async function trySaving<T>(save: () => Promise<T>, fieldOf: FieldOf): Promise<Saved<T>> {
  try {
    return { made: await save() }
  } catch (error) {
    if (!(error instanceof Failure) || !isOfForm(error)) throw error
    return { issues: issuesOf(error, fieldOf) }
  }
}

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

const isOfForm = ({ code }: Failure) =>
  code === 400 || code === 'not_allowed_now' || code === 'insufficient_scope'

export const readEnvironment = (text: string): AppEnvironment =>
  parseChoice(text, 'environment', environments)

/** Reads a field with one address per line. `lines` are the line numbers of the addresses. */
export function readLines(text: string): { addresses: string[]; lines: number[] } {
  const all = text.split(/\r\n|\r|\n/).map((line, index) => ({ line: line.trim(), index }))
  const filled = all.filter(({ line }) => line !== '')
  return {
    addresses: filled.map(({ line }) => line),
    lines: filled.map(({ index }) => index + 1),
  }
}

/** Prefix of an issue with the address at `index`; '' for an issue with the whole field. */
export const linePrefix = (lines: readonly number[], index: string | undefined): string =>
  index === undefined ? '' : `Line ${lines[Number(index)]}: `
