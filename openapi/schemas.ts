import type { SchemaTransformerSync } from '@ts-rest/open-api'
import { z } from 'zod'

/** A schema of the document, as ts-rest types it. */
export type Schema = NonNullable<ReturnType<SchemaTransformerSync>>

/** Shared schemas of the document by their id in the contract. */
export type Components = Record<string, Schema>

/** Converts schemas of the contract. Schemas with an id go to `components`. */
export function schemaTransformer(components: Components): SchemaTransformerSync {
  return ({ schema, type, concatenatedPath }) => {
    if (!(schema instanceof z.ZodType)) return null
    // A body is described as its input. Parameters are described as their output, because their
    // input type is always text.
    const io = type === 'body' ? 'input' : 'output'
    const converted = schemaOf(schema, io, components, concatenatedPath)
    return type === 'query' ? withDefaultsOptional(converted) : converted
  }
}

/**
 * Converts one schema of the contract. A schema with an id goes to `components`, and the result
 * refers to it. Throws if two different schemas have the same id.
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
      throw new Error(`${where}: a different schema already has the id ${id}.`)
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
      // Code generators make fields with a default mandatory.
      if (io === 'input') delete jsonSchema.default
    },
  })
  const text = JSON.stringify(json).replaceAll('"#/definitions/', '"#/components/schemas/')
  return JSON.parse(text, (_key, value) => withNull(unwrapped(value)))
}

/** Drops redundant keywords, and `additionalProperties`, which would reject new fields. */
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

/** Replaces an `allOf` of a single reference by the reference. */
function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('allOf' in value)) return value
  const { allOf, ...beside } = value
  const isBare = Object.keys(beside).length === 0
  return isBare && Array.isArray(allOf) && allOf.length === 1 ? allOf[0] : value
}

/** Adds null to a nullable enum, because `nullable` widens only the type (OpenAPI 3.0.3). */
function withNull(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (!('nullable' in value && 'enum' in value && Array.isArray(value.enum))) return value
  return value.enum.includes(null) ? value : { ...value, enum: [...value.enum, null] }
}

/** Makes parameters with a default optional. */
function withDefaultsOptional(schema: Schema): Schema {
  const required = schema.required?.filter((name) => {
    const property = schema.properties?.[name]
    return property && !('default' in property)
  })
  return { ...schema, ...(required && { required }) }
}

/** Returns the component that a schema refers to, or the schema itself. */
export function resolve(components: Components, schema: Schema | { $ref: string }): Schema {
  if (!('$ref' in schema) || typeof schema.$ref !== 'string') return schema
  const found = components[schema.$ref.replace('#/components/schemas/', '')]
  if (!found) throw new Error(`${schema.$ref} is not among the components.`)
  return found
}
