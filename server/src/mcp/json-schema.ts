import { z } from 'zod'

/** A JSON Schema of an object, as MCP requires for the arguments and results of tools. */
export interface ObjectSchema {
  [keyword: string]: unknown
  readonly type: 'object'
}

type Schema = z.core.JSONSchema.BaseSchema

/** Returns the JSON Schema of the arguments that a request sends in its path, query and body. */
export function schemaOfArguments(parts: z.ZodRawShape): ObjectSchema {
  const schemas = Object.entries(parts).map(([part, schema]) => {
    // Path and query are described as their output, because their input may also be text.
    const io = part === 'body' ? 'input' : 'output'
    return objectSchema(schema, io)
  })
  const required = schemas.flatMap((schema) => requiredOf(schema))
  return {
    type: 'object',
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
    ...(required.length > 0 && { required }),
    $defs: Object.assign({}, ...schemas.map(({ $defs }) => $defs)),
  }
}

export const schemaOfResult = (schema: z.ZodType): ObjectSchema => ({
  ...objectSchema(schema, 'output'),
  type: 'object',
})

/** Converts a schema. The result is inline even if the schema has an id in the contract. */
function objectSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    // Clients validate results, and later versions may add fields.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  const id = json.$ref?.replace('#/$defs/', '')
  const { $defs = {} } = json
  return id === undefined ? json : { ...$defs[id], $defs }
}

/** Arguments with a default are optional. */
const requiredOf = ({ required = [], properties = {} }: Schema): string[] =>
  required.filter((name) => {
    const property = properties[name]
    return typeof property === 'object' && property.default === undefined
  })
