import { environments } from '../../apps/settings.ts'
import type { AppEnvironment } from '../../apps/store/clients.ts'
import { Failure, fail } from '../../errors/failure.ts'
import type { Mistakes } from '../ui/fields.tsx'
import { sentence } from '../ui/format.tsx'

/** Where a form shows what is wrong with a setting: the field's name and what stands before it. */
export interface Place {
  field: string
  prefix?: string
}

/**
 * What a refusal says about the fields of a form: of `save`, which a mistake in the form makes fail.
 * Nothing where it went well; what is no mistake of the form goes on as it is.
 */
export async function mistakesOf(
  save: () => Promise<unknown>,
  placeOf: (path: readonly string[]) => Place | undefined,
): Promise<Mistakes | undefined> {
  try {
    await save()
    return undefined
  } catch (error) {
    if (!(error instanceof Failure) || !isMistake(error)) throw error
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

const isMistake = ({ code }: Failure) =>
  code === 400 || code === 'not_allowed_now' || code === 'insufficient_scope'

/** The one of the choices that a field holds. Another: 400. */
export function readChoice<T extends string>(text: string, name: string, choices: readonly T[]): T {
  const chosen = choices.find((choice) => choice === text)
  return chosen ?? fail(400, `${name} is ${choices.join(' or ')}.`)
}

/** Which of the two tabs a form or an address names. */
export const readEnvironment = (text: string): AppEnvironment =>
  readChoice(text, 'environment', environments)

/** Addresses of a field with one per line, and on which line of it each stands. */
export function readLines(text: string): { addresses: string[]; lines: number[] } {
  const all = text.split(/\r\n|\r|\n/).map((line, index) => ({ line: line.trim(), index }))
  const filled = all.filter(({ line }) => line !== '')
  return {
    addresses: filled.map(({ line }) => line),
    lines: filled.map(({ index }) => index + 1),
  }
}

/** What stands before the mistake of one of these addresses; nothing before that of all. */
export const linePrefix = (lines: readonly number[], index: string | undefined): string =>
  index === undefined ? '' : `Line ${lines[Number(index)]}: `
