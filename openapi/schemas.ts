import type { SchemaTransformerSync } from '@ts-rest/open-api'
import { z } from 'zod'

/** A schema of the document, as ts-rest types it. */
export type Schema = NonNullable<ReturnType<SchemaTransformerSync>>

/** The shared schemas of the document, by the id that the contract gives them. */
export type Components = Record<string, Schema>

/**
 * Turns the contract's schemas into the document's. A schema with an id goes to `components` and is
 * referred to; one id with two meanings stops the generation.
 */
export function schemaTransformer(components: Components): SchemaTransformerSync {
  return ({ schema, type, concatenatedPath }) => {
    if (!(schema instanceof z.ZodType)) return null
    // A body is what a caller writes. Parameters are shown as what becomes of them: a number in the
    // query string may also be given as text, which would only confuse here.
    const { definitions, ...converted } = convert(schema, type === 'body' ? 'input' : 'output')
    for (const [id, definition] of Object.entries(definitions ?? {})) {
      const known = components[id]
      if (known && JSON.stringify(known) !== JSON.stringify(definition)) {
        throw new Error(`${concatenatedPath}: another schema already has the id ${id}.`)
      }
      components[id] = definition
    }
    return type === 'query' ? withDefaultsOptional(converted) : converted
  }
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
  return JSON.parse(JSON.stringify(json).replaceAll('"#/definitions/', '"#/components/schemas/'))
}

/** Drops what says nothing to a reader, and what would make readers refuse new fields. */
function simplify(jsonSchema: z.core.JSONSchema.BaseSchema) {
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format) delete jsonSchema.pattern
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  const exclusive: unknown = jsonSchema.exclusiveMinimum
  if (jsonSchema.type === 'integer' && exclusive === true && jsonSchema.minimum === 0) {
    jsonSchema.minimum = 1
    delete jsonSchema.exclusiveMinimum
  }
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
