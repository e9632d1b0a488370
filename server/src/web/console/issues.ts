import { type AppEnvironment, environments } from '../../apps/settings.ts'
import { Failure } from '../../errors/failure.ts'
import { chosen } from '../account/form.ts'
import type { FieldIssues } from '../ui/fields.tsx'
import { sentence } from '../ui/format.tsx'

/** Where a form shows what is wrong with a setting: the field's name and what stands before it. */
interface Place {
  field: string
  prefix?: string
}

/** Where an issue stands, by its path in the setting; without a place, with the form as a whole. */
type PlaceOf = (path: readonly string[]) => Place | undefined

type Saved<T> = { made: T; issues?: undefined } | { issues: FieldIssues }

/** Saves what a form says, or tells what is wrong with it by field; other failures go on. */
export async function trySaving<T>(save: () => Promise<T>, placeOf: PlaceOf): Promise<Saved<T>> {
  try {
    return { made: await save() }
  } catch (error) {
    if (!(error instanceof Failure) || !isOfForm(error)) throw error
    return { issues: issuesOf(error, placeOf) }
  }
}

function issuesOf({ message: whole, details = [] }: Failure, placeOf: PlaceOf): FieldIssues {
  const all = details.length > 0 ? details : [{ path: '', message: whole }]
  const issues: Record<string, string> = {}
  for (const { path, message } of all) {
    const { field, prefix = '' } = placeOf(path === '' ? [] : path.split('.')) ?? { field: '' }
    const lines = new Set(issues[field]?.split('\n'))
    issues[field] = [...lines.add(sentence(prefix + message))].join('\n')
  }
  return issues
}

const isOfForm = ({ code }: Failure) =>
  code === 400 || code === 'not_allowed_now' || code === 'insufficient_scope'

export const readEnvironment = (text: string): AppEnvironment =>
  chosen(text, 'environment', environments)

/** Addresses of a field with one per line, and on which line of it each stands. */
export function readLines(text: string): { addresses: string[]; lines: number[] } {
  const all = text.split(/\r\n|\r|\n/).map((line, index) => ({ line: line.trim(), index }))
  const filled = all.filter(({ line }) => line !== '')
  return {
    addresses: filled.map(({ line }) => line),
    lines: filled.map(({ index }) => index + 1),
  }
}

/** What stands before the issue of one of these addresses; nothing before that of all. */
export const linePrefix = (lines: readonly number[], index: string | undefined): string =>
  index === undefined ? '' : `Line ${lines[Number(index)]}: `
