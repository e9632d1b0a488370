import { z } from 'zod'

/** A JSON Schema, of which the types are made. */
export type Schema = z.core.JSONSchema.BaseSchema

/** The named schemas of the contract, each with the file that its interface stands in. */
export type NamedSchemas = Map<string, { readonly schema: Schema; readonly file: string }>

/**
 * The JSON Schema of one of the contract. A schema that has an id is put among the named ones, in
 * `file` where none had it before, and is referred to; one id with two meanings stops the generation.
 */
export function schemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  named: NamedSchemas,
  file: string,
): Schema {
  const { $schema: _, $defs = {}, ...converted } = z.toJSONSchema(schema, { io })
  for (const [id, definition] of Object.entries($defs)) {
    const { id: _, ...schema } = definition
    const known = named.get(id)
    if (!known) named.set(id, { schema, file })
    else if (JSON.stringify(known.schema) !== JSON.stringify(schema)) {
      throw new Error(`${file}: another schema already has the id ${id}.`)
    }
  }
  return converted
}

/** The name that a schema refers to; undefined where it is written out. */
export const referenceOf = ({ $ref }: Schema): string | undefined => $ref?.replace('#/$defs/', '')

/** The imports of the named schemas that a file uses and does not hold. */
export function importsOf(used: ReadonlySet<string>, named: NamedSchemas, file: string): string {
  const up = '../'.repeat(file.split('/').length - 1)
  const fileOf = (name: string) => named.get(name)?.file
  const others = [...used].filter((name) => fileOf(name) !== file).sort()
  return [...new Set(others.map(fileOf))]
    .map((from) => {
      const names = others.filter((name) => fileOf(name) === from)
      return `import type { ${names.join(', ')} } from '${up}${from}'\n`
    })
    .join('')
}
