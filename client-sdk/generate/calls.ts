import { pagesOf } from './answers.ts'
import { comment } from './comments.ts'
import { descriptionOf } from './descriptions.ts'
import { parameterOf } from './inputs.ts'
import { resultOf } from './results.ts'
import { capitalized, type FoundRoute, type Noun } from './routes.ts'
import type { NamedSchemas, Schema } from './schemas.ts'
import { typeWriter, type Writing } from './types.ts'

/** The types of the calls of one noun, and which named schemas they use. */
export interface Calls {
  readonly text: string
  readonly used: ReadonlySet<string>
}

/** Writes the calls of a noun: an interface of them all, before it what they take and give that has no name. */
export function callsOf(noun: Noun, named: NamedSchemas, file: string): Calls {
  const types = typeWriter(named)
  const names = new Map<string, string>()
  const declarations: string[] = []
  const declare = (name: string, schema: Schema) => {
    const fields = JSON.stringify({ ...schema, description: '' })
    const known = names.get(fields)
    if (known !== undefined) return known
    names.set(fields, name)
    declarations.push(types.declaration(name, schema))
    return name
  }
  const writing = { types, named, file, declare }
  const fields = noun.routes.map((found) => fieldOf(noun, found, writing))
  const about = comment(`The calls of \`${noun.key}\`.`)
  const calls = `${about}export interface ${noun.title}Calls {\n${fields.join('\n')}}\n`
  return { text: [...declarations, calls].join('\n'), used: types.used }
}

function fieldOf(noun: Noun, found: FoundRoute, writing: Writing): string {
  const name = noun.title + capitalized(found.key)
  const parameter = parameterOf(name, found, writing)
  const { type, itemType, isBytes } = resultOf(name, found, writing)
  const is = (kind: string, ...rest: string[]) =>
    `${kind}<${[`[${parameter}]`, ...rest].join(', ')}>`
  const call = pagesOf(found)
    ? is('ListCall', type, itemType)
    : isBytes
      ? is('BytesCall')
      : 304 in found.route.responses
        ? is('ConditionalCall', type)
        : `(${parameter}) => Promise<${type}>`
  return `${descriptionOf(found)}readonly ${found.key}: ${call}\n`
}
