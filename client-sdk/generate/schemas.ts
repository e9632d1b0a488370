import { z } from 'zod'

/** JSON Schema from which the types are generated. */
export type Schema = z.core.JSONSchema.BaseSchema

/** Schemas with an id, by id. `schemaOf` adds those that it meets. */
export const namedSchemas = new Map<string, Schema>()

/**
 * Converts a zod schema to JSON Schema. Schemas with an id become references and are added to
 * `namedSchemas`. Throws if two different schemas have the same id.
 */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, $defs = {}, ...converted } = z.toJSONSchema(schema, { io })
  for (const [id, definition] of Object.entries($defs)) {
    const { id: _, ...schema } = definition
    const known = namedSchemas.get(id) ?? schema
    if (JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two schemas have the id ${id}.`)
    }
    namedSchemas.set(id, schema)
  }
  return converted
}

/** Returns the id that a schema refers to; undefined if the schema is inline. */
export const referenceOf = ({ $ref }: Schema): string | undefined => $ref?.replace('#/$defs/', '')

/** Resolves a reference. Returns an inline schema unchanged. */
export function resolved(schema: Schema): Schema {
  const reference = referenceOf(schema)
  return (reference !== undefined && namedSchemas.get(reference)) || schema
}
