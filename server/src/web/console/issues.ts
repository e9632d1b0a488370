import type { JSX } from 'preact'
import { type AppEnvironment, environments } from '../../apps/settings.ts'
import { Failure } from '../../errors/failure.ts'
import { chosen } from '../account/form.ts'
import { type Answer, goOn, show } from '../account/page.ts'
import type { FieldIssues } from '../ui/fields.tsx'
import { sentence } from '../ui/format.tsx'

/** Where a form shows what is wrong with a setting: the field's name and what stands before it. */
interface Place {
  field: string
  prefix?: string
}

export interface FormSaving<T> {
  save: () => Promise<T>
  /** Where an issue stands, by its path in the setting; without a place, with the form as a whole. */
  placeOf: (path: readonly string[]) => Place | undefined
  /** Address to go on to, or the answer that shows what was made. */
  next: string | ((made: T) => Answer)
  page: (issues: FieldIssues) => JSX.Element | Promise<JSX.Element>
}

/** Saves what a form says and goes on, or shows its page with what is wrong; other failures go on. */
export async function saveForm<T>({ save, placeOf, next, page }: FormSaving<T>): Promise<Answer> {
  try {
    const made = await save()
    return typeof next === 'string' ? goOn(next) : next(made)
  } catch (error) {
    if (!(error instanceof Failure) || !isOfForm(error)) throw error
    return show(await page(issuesOf(error, placeOf)), 400)
  }
}

function issuesOf(
  { message: whole, details = [] }: Failure,
  placeOf: FormSaving<unknown>['placeOf'],
) {
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
