import { comment } from './comments.ts'
import { descriptionOf } from './descriptions.ts'
import { parameterOf } from './inputs.ts'
import { resultOf } from './results.ts'
import { type ContractRoute, capitalized, type Resource, type Service } from './routes.ts'
import type { Schema } from './schemas.ts'
import { block, type Declare } from './types.ts'

/** The generated types of one resource. */
export interface Calls {
  /**
   * Schemas of parameters and results that have no name in the contract, by their generated names.
   */
  readonly declared: ReadonlyMap<string, Schema>
  /** TypeScript of the interface that holds the calls. */
  readonly text: string
}

export function callsOf(resource: Resource): Calls {
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
  const fields = resource.routes.map((found) => fieldOf(resource, found, declare))
  const about = comment(`Calls of \`${resource.key}\`.`)
  return { declared, text: `${about}export interface ${resource.title}Calls ${block(fields)}\n` }
}

function fieldOf(resource: Resource, found: ContractRoute, declare: Declare): string {
  const name = resource.title + capitalized(found.key)
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

/** Generates the interface of a service that groups its calls by resource. */
export function treeOf({ key, title, resources }: Service): string {
  const fields = resources.map(({ key, title, routes }) => {
    const calls = routes.map(({ key }) => `\`${key}\``).join(', ')
    return `${comment(`Calls: ${calls}.`)}readonly ${key}: ${title}Calls\n`
  })
  const about = comment(`Calls of \`${key}\`.`)
  return `${about}export interface ${title}Calls ${block(fields)}\n`
}
