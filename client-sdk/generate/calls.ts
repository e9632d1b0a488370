import { comment } from './comments.ts'
import { descriptionOf } from './descriptions.ts'
import { parameterOf } from './inputs.ts'
import { resultOf } from './results.ts'
import { capitalized, type FoundRoute, type Noun, type Service } from './routes.ts'
import type { Schema } from './schemas.ts'
import { block, type Declare } from './types.ts'

/** The calls of one noun. */
export interface Calls {
  /** What they take and give that has no name in the contract, by the names it gets here. */
  readonly declared: ReadonlyMap<string, Schema>
  /** An interface of them all. */
  readonly text: string
}

/** Writes the calls of a noun. */
export function callsOf(noun: Noun): Calls {
  const names = new Map<string, string>()
  const declared = new Map<string, Schema>()
  const declare: Declare = (name, schema) => {
    const fields = JSON.stringify({ ...schema, description: '' })
    const known = names.get(fields)
    if (known !== undefined) return known
    names.set(fields, name)
    declared.set(name, schema)
    return name
  }
  const fields = noun.routes.map((found) => fieldOf(noun, found, declare))
  const about = comment(`The calls of \`${noun.key}\`.`)
  return { declared, text: `${about}export interface ${noun.title}Calls ${block(fields)}\n` }
}

function fieldOf(noun: Noun, found: FoundRoute, declare: Declare): string {
  const name = noun.title + capitalized(found.key)
  const parameter = parameterOf(name, found, declare)
  const { type, itemType, isBytes } = resultOf(name, found, declare)
  const is = (kind: string, ...rest: string[]) =>
    `${kind}<${[`[${parameter}]`, ...rest].join(', ')}>`
  const call = itemType
    ? is('ListCall', type, itemType)
    : isBytes
      ? is('BytesCall')
      : 304 in found.route.responses
        ? is('ConditionalCall', type)
        : `(${parameter}) => Promise<${type}>`
  return `${descriptionOf(found)}readonly ${found.key}: ${call}\n`
}

/** Writes the interface of a service whose calls stand under nouns. */
export function treeOf({ key, title, nouns }: Service): string {
  const fields = nouns.map(({ key, title, routes }) => {
    const calls = routes.map(({ key }) => `\`${key}\``).join(', ')
    return `${comment(`Calls: ${calls}.`)}readonly ${key}: ${title}Calls\n`
  })
  const about = comment(`The calls of \`${key}\`.`)
  return `${about}export interface ${title}Calls ${block(fields)}\n`
}
