import { comment, fieldComment } from './comments.ts'
import { referenceOf, resolved, type Schema } from './schemas.ts'

/** Declares a type. Returns its name, or that of an equal type of the same resource. */
export type Declare = (name: string, schema: Schema) => string

/** Returns the TypeScript type of a schema. Fields with a default are optional. */
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

/** Generates an interface for an object and a type alias for any other schema. */
export function declaration(name: string, schema: Schema): string {
  const about = comment(schema.description)
  if (!schema.properties) return `${about}export type ${name} = ${typeOf(schema)}\n`
  return `${about}export interface ${name} ${block(fieldsOf(schema))}\n`
}

/** Puts braces around indented entries. */
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
    const isRequired = required.includes(name) && field.default === undefined
    const type = typeOf(field)
    const about = fieldComment(field, descriptionOfField(field))
    if (!about) throw new Error(`The field ${name} has no description.`)
    return `${about}${isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`}\n`
  })

/**
 * Returns the description of a field, of the schema it refers to, or of its items or alternatives.
 */
function descriptionOfField(field: Schema): string {
  const within = [...[field.items ?? []].flat(), ...(field.anyOf ?? [])].map(known)
  const description = field.description ?? resolved(field).description
  return description ?? within.map(descriptionOfField).find((text) => text) ?? ''
}

/** JSON Schema allows booleans as schemas. zod never writes them. */
const known = (schema: Schema | boolean): Schema => (typeof schema === 'object' ? schema : {})
