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

/** What to save of a form, and where to go on or what to show after it. */
export interface FormSaving {
  save: () => Promise<unknown>
  /** Where an issue stands, by its path in the setting; without a place, with the form as a whole. */
  placeOf: (path: readonly string[]) => Place | undefined
  next: string
  /** The form's page with what is wrong. */
  page: (issues: FieldIssues) => JSX.Element | Promise<JSX.Element>
}

/** Saves what a form says and goes on, or shows its page with what is wrong. */
export async function saveForm({ save, placeOf, next, page }: FormSaving): Promise<Answer> {
  const issues = await issuesOf(save, placeOf)
  return issues ? show(await page(issues), 400) : goOn(next)
}

/** What is wrong with the fields of a form, where that makes `save` fail; other failures go on. */
export async function issuesOf(
  save: FormSaving['save'],
  placeOf: FormSaving['placeOf'],
): Promise<FieldIssues | undefined> {
  try {
    await save()
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || !isOfForm(error)) throw error
    const messages = new Map<string, Set<string>>()
    const note = ({ field, prefix = '' }: Place, message: string) =>
      messages.set(field, (messages.get(field) ?? new Set()).add(sentence(prefix + message)))
    const { details = [] } = error
    for (const { path, message } of details) {
      note(placeOf(path.split('.')) ?? { field: '' }, message)
    }
    if (details.length === 0) note(placeOf([]) ?? { field: '' }, error.message)
    return Object.fromEntries([...messages].map(([field, all]) => [field, [...all].join('\n')]))
  }
}

const isOfForm = ({ code }: Failure) =>
  code === 400 || code === 'not_allowed_now' || code === 'insufficient_scope'

/** Which of the two tabs a form or an address names. */
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
