import { type Components, resolve, type Schema } from './schemas.ts'

/**
 * Returns an example for a schema, composed from the examples of its fields. Throws if a string
 * field has no example.
 */
export function exampleOf(
  components: Components,
  schema: Schema | { $ref: string },
  where: string,
): unknown {
  const resolved = resolve(components, schema)
  const { example, type, properties, items, allOf, anyOf, oneOf } = resolved
  if (example !== undefined) return example
  const [choice] = oneOf ?? anyOf ?? []
  if (choice) return exampleOf(components, choice, where)
  if (allOf?.[0]) return exampleOf(components, allOf[0], where)
  if (resolved.default !== undefined) return resolved.default
  if (resolved.enum) return resolved.enum[0]
  if (resolved.nullable) return null
  if (type === 'object') {
    const fields = Object.entries(properties ?? {})
    return Object.fromEntries(
      fields.map(([name, field]) => [name, exampleOf(components, field, `${where}.${name}`)]),
    )
  }
  if (type === 'array') return items ? [exampleOf(components, items, `${where}[]`)] : []
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, resolved.minimum ?? 1)
  throw new Error(`${where} has no example. Add one in the contract.`)
}
