import { z } from 'zod'

/** A JSON Schema, of which the types are made. */
export type Schema = z.core.JSONSchema.BaseSchema

/** The schemas of the contract that have an id, by it: those that `schemaOf` has met so far. */
export const namedSchemas = new Map<string, Schema>()

/**
 * The JSON Schema of one of the contract. Schemas that have an id are put among the named ones and are
 * referred to; one id with two meanings stops the generation.
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

/** The name that a schema refers to; undefined where it is written out. */
export const referenceOf = ({ $ref }: Schema): string | undefined => $ref?.replace('#/$defs/', '')

/** A schema, or the one that it refers to. */
export function resolved(schema: Schema): Schema {
  const reference = referenceOf(schema)
  return (reference !== undefined && namedSchemas.get(reference)) || schema
}
