import type { SchemaTransformerSync } from '@ts-rest/open-api'
import { z } from 'zod'

/** A schema of the document, as ts-rest types it. */
export type Schema = NonNullable<ReturnType<SchemaTransformerSync>>

/** The shared schemas of the document, by the id that the contract gives them. */
export type Components = Record<string, Schema>

/** Turns the contract's schemas into the document's; those with an id go to `components`. */
export function schemaTransformer(components: Components): SchemaTransformerSync {
  return ({ schema, type, concatenatedPath }) => {
    if (!(schema instanceof z.ZodType)) return null
    // A body is what a caller writes. Parameters are shown as what becomes of them: a number in the
    // query string may also be given as text, which would only confuse here.
    const io = type === 'body' ? 'input' : 'output'
    const converted = schemaOf(schema, io, components, concatenatedPath)
    return type === 'query' ? withDefaultsOptional(converted) : converted
  }
}

/**
 * A schema of the document for one of the contract. A schema with an id goes to `components` and is
 * referred to; one id with two meanings stops the generation.
 */
export function schemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Components,
  where: string,
): Schema {
  const { definitions, ...converted } = convert(schema, io)
  for (const [id, definition] of Object.entries(definitions ?? {})) {
    const known = components[id]
    if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
      throw new Error(`${where}: another schema already has the id ${id}.`)
    }
    components[id] = definition
  }
  return converted
}

function convert(schema: z.ZodType, io: 'input' | 'output'): Schema & { definitions?: Components } {
  const json = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    override: ({ jsonSchema }) => {
      simplify(jsonSchema)
      // Generators take a field with a default for one that is always there, and ask for it.
      if (io === 'input') delete jsonSchema.default
    },
  })
  const text = JSON.stringify(json).replaceAll('"#/definitions/', '"#/components/schemas/')
  return JSON.parse(text, (_key, value) => withNull(unwrapped(value)))
}

/** Drops what says nothing to a reader, and what would make readers refuse new fields. */
function simplify(jsonSchema: z.core.JSONSchema.BaseSchema) {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  const exclusive: unknown = jsonSchema.exclusiveMinimum
  if (jsonSchema.type === 'integer' && exclusive === true && jsonSchema.minimum === 0) {
    jsonSchema.minimum = 1
    delete jsonSchema.exclusiveMinimum
  }
}

/** A shared schema that has nothing beside it, as an optional field has, is referred to as it is. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('allOf' in value)) return value
  const { allOf, ...beside } = value
  const isBare = Object.keys(beside).length === 0
  return isBare && Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : value
}

/** An enum names null itself: `nullable` alone widens only the type (OpenAPI 3.0.3). */
function withNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!('nullable' in value && 'enum' in value && Array.isArray(value.enum))) return value
  return value.enum.includes(null) ? value : { ...value, enum: [...value.enum, null] }
}

/** What comes out of parsing always has its defaults; what goes in need not. */
function withDefaultsOptional(schema: Schema): Schema {
  const required = schema.required?.filter((name) => {
    const property = schema.properties?.[name]
    return property && !('default' in property)
  })
  return { ...schema, ...(required && { required }) }
}

/** The component that a schema refers to, or the schema itself. */
export function resolve(components: Components, schema: Schema | { $ref: string }): Schema {
  if (!('$ref' in schema) || typeof schema.$ref !== 'string') return schema
  const found = components[schema.$ref.replace('#/components/schemas/', '')]
  if (!found) throw new Error(`${schema.$ref} is not among the components.`)
  return found
}
