import { comment, fieldComment } from './comments.ts'
import { type NamedSchemas, referenceOf, type Schema } from './schemas.ts'

/** Writes types for schemas, and remembers which names they use. */
export interface TypeWriter {
  /** The names used so far, which a file has to import. */
  readonly used: Set<string>
  /** The type of a schema. */
  typeOf(schema: Schema): string
  /** An interface of an object's fields; a type alias for anything else. */
  declaration(name: string, schema: Schema): string
}

/** What the types of a file are written with. */
export interface Writing {
  readonly types: TypeWriter
  readonly named: NamedSchemas
  /** Where named schemas go that none had before. */
  readonly file: string
  /** Declares the type of a schema under a name, unless the file has one of the same fields; gives its name. */
  declare(name: string, schema: Schema): string
}

/** A writer for one file. Fields with a default may be left out of what a caller sends. */
export function typeWriter(named: NamedSchemas): TypeWriter {
  const used = new Set<string>()

  const typeOf = (schema: Schema): string => {
    const reference = referenceOf(schema)
    if (reference !== undefined) {
      used.add(reference)
      return reference
    }
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

  const arrayOf = ({ items }: Schema) => {
    const item = typeof items === 'object' && !Array.isArray(items) ? typeOf(items) : 'unknown'
    return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`
  }

  const objectOf = (schema: Schema) => {
    const { properties, additionalProperties: others } = schema
    if (properties) return `{\n${fieldsOf(schema)}}`
    const value = typeof others === 'object' ? typeOf(others) : 'unknown'
    return `Record<string, ${value}>`
  }

  const fieldsOf = ({ properties = {}, required = [] }: Schema) =>
    Object.entries(properties)
      .map(([name, property]) => {
        const field = known(property)
        const isNeeded = required.includes(name) && field.default === undefined
        const type = typeOf(field)
        const entry = isNeeded ? `${name}: ${type}` : `${name}?: ${type} | undefined`
        const about = fieldComment(field, meaningOf(field))
        if (!about) throw new Error(`The field ${name} has no description.`)
        return `${about}${entry}\n`
      })
      .join('')

  /** What a field says of itself, or else what it refers to, holds, or is where it is not null. */
  const meaningOf = (field: Schema): string => {
    const reference = referenceOf(field)
    const referred = reference === undefined ? undefined : named.get(reference)?.schema.description
    const within = [...[field.items ?? []].flat(), ...(field.anyOf ?? [])].map(known)
    return field.description ?? referred ?? within.map(meaningOf).find((text) => text) ?? ''
  }

  return {
    used,
    typeOf,
    declaration(name, schema) {
      const about = comment(schema.description)
      if (!schema.properties) return `${about}export type ${name} = ${typeOf(schema)}\n`
      const base = widestWithin(schema, named)
      if (base) used.add(base.name)
      const head = `${about}export interface ${name} ${base ? `extends ${base.name} ` : ''}`
      return `${head}{\n${fieldsOf(base ? without(schema, base.schema) : schema)}}\n`
    },
  }
}

/** The named schema with the most fields of those whose fields another schema repeats, and adds to; none with fewer than three. */
function widestWithin(schema: Schema, named: NamedSchemas) {
  const fieldsOf = ({ properties = {}, required = [] }: Schema) =>
    Object.entries(properties).map(
      ([name, field]) => `${name} ${required.includes(name)} ${JSON.stringify(field)}`,
    )
  const fields = new Set(fieldsOf(schema))
  return Array.from(named, ([name, { schema }]) => ({ name, schema, fields: fieldsOf(schema) }))
    .filter((base) => base.fields.length >= 3 && base.fields.length < fields.size)
    .filter((base) => base.fields.every((field) => fields.has(field)))
    .sort((one, other) => other.fields.length - one.fields.length)[0]
}

function without(schema: Schema, base: Schema): Schema {
  const own = Object.entries(schema.properties ?? {}).filter(([name]) => !base.properties?.[name])
  return { ...schema, properties: Object.fromEntries(own) }
}

/** JSON Schema also knows `true` and `false` for schemas, which zod does not write. */
const known = (schema: Schema | boolean): Schema => (typeof schema === 'object' ? schema : {})
