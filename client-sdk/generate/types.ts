import { comment, fieldComment } from './comments.ts'
import { referenceOf, resolved, type Schema } from './schemas.ts'

/** Declares a type under a name, unless the noun has one of the same fields; returns its name. */
export type Declare = (name: string, schema: Schema) => string

/** The type of a schema. Fields with a default may be left out of what a caller sends. */
export function typeOf(schema: Schema): string {
  const reference = referenceOf(schema)
  if (reference !== undefined) return reference
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((choice) => typeOf(known(choice))).join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  }
  switch (schema.type) {
    case 'object':
      return objectOf(schema)
    case 'array':
      return arrayOf(schema)
    case 'integer':
      return 'number'
    case undefined:
      return 'unknown'
    default:
      return String(schema.type)
  }
}

/** An interface of an object's fields; a type alias for anything else. */
export function declaration(name: string, schema: Schema): string {
  const about = comment(schema.description)
  if (!schema.properties) return `${about}export type ${name} = ${typeOf(schema)}\n`
  return `${about}export interface ${name} ${block(fieldsOf(schema))}\n`
}

/** Braces around indented entries. */
export const block = (entries: readonly string[]): string =>
  `{\n${entries.join('').replace(/^(?=.)/gm, '  ')}}`

function arrayOf({ items }: Schema) {
  const item = typeof items === 'object' && !Array.isArray(items) ? typeOf(items) : 'unknown'
  return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`
}

function objectOf(schema: Schema) {
  const { properties, additionalProperties: others } = schema
  if (properties) return block(fieldsOf(schema))
  const value = typeof others === 'object' ? typeOf(others) : 'unknown'
  return `Record<string, ${value}>`
}

const fieldsOf = ({ properties = {}, required = [] }: Schema) =>
  Object.entries(properties).map(([name, property]) => {
    const field = known(property)
    const isNeeded = required.includes(name) && field.default === undefined
    const type = typeOf(field)
    const about = fieldComment(field, meaningOf(field))
    if (!about) throw new Error(`The field ${name} has no description.`)
    return `${about}${isNeeded ? `${name}: ${type}` : `${name}?: ${type} | undefined`}\n`
  })

/** What a field says of itself, or else what it refers to, holds, or is where it is not null. */
function meaningOf(field: Schema): string {
  const within = [...[field.items ?? []].flat(), ...(field.anyOf ?? [])].map(known)
  const said = field.description ?? resolved(field).description
  return said ?? within.map(meaningOf).find((text) => text) ?? ''
}

/** JSON Schema also knows `true` and `false` for schemas, which zod does not write. */
const known = (schema: Schema | boolean): Schema => (typeof schema === 'object' ? schema : {})
