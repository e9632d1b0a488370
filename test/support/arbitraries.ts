import fc from 'fast-check'
import { z } from 'zod'
import { splitAtBars } from './words.ts'

/** The part of JSON Schema that Zod emits for the contract. */
interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  pattern?: string
  format?: string
}

/** Returns the JSON Schema of a request part. */
export function inputSchema(schema: z.ZodType): Schema {
  const whole = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return resolved(whole, (whole.$defs ?? {}) as Record<string, unknown>) as Schema
}

/** Resolves references: Zod replaces each schema that has an id by one. */
function resolved(node: unknown, definitions: Record<string, unknown>): unknown {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((one) => resolved(one, definitions))
  if ('$ref' in node) {
    return resolved(definitions[String(node.$ref).replace('#/$defs/', '')], definitions)
  }
  const entries = Object.entries(node).filter(([name]) => name !== '$defs')
  return Object.fromEntries(entries.map(([name, one]) => [name, resolved(one, definitions)]))
}

/** Returns the field names of an object schema; for a union, those of all members. */
export const fieldNames = ({ properties = {}, anyOf = [], oneOf = [] }: Schema): string[] => [
  ...new Set([...Object.keys(properties), ...[...anyOf, ...oneOf].flatMap(fieldNames)]),
]

/** Returns the paths of all fields, also of nested objects. `0` is an item of a list. */
export const fieldPaths = ({
  properties = {},
  items,
  anyOf = [],
  oneOf = [],
}: Schema): string[][] => [
  ...Object.entries(properties).flatMap(([name, own]) => [
    [name],
    ...fieldPaths(own).map((path) => [name, ...path]),
  ]),
  ...(items ? fieldPaths(items).map((path) => ['0', ...path]) : []),
  ...[...anyOf, ...oneOf].flatMap(fieldPaths),
]

/** Names that differ from a known one by case, by marks or by a letter. */
export const misspelled = (name: string) => [
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  name.replaceAll('_', '-'),
  name.toUpperCase(),
  `${name}[]`,
  `${name}x`,
  name.replace(/(.)(.)$/, '$2$1'),
  name.replace(/.$/, 'я'),
]

/** Generates values that match a schema, apart from rules that JSON Schema cannot express. */
export function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(fitting))
  // A number in a query is text on the wire, and its range is only in the description.
  if (Array.isArray(schema.type)) return fc.constantFrom(1, 2, 3, 10, 50, 0, 51, 0.3)
  if (schema.type === 'string') return text(schema)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer' || schema.type === 'number') {
    const { minimum: min = -1e6, maximum: max = 1e6 } = schema
    return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max))
  }
  if (schema.type === 'array') {
    const { items = {}, maxItems = 5 } = schema
    return fc.array(fitting(items), { maxLength: Math.min(5, maxItems) })
  }
  if (schema.type === 'object') {
    const properties = Object.entries(schema.properties ?? {})
    const model = Object.fromEntries(properties.map(([name, value]) => [name, fitting(value)]))
    return fc.record(model, { requiredKeys: schema.required ?? [] })
  }
  return fc.jsonValue()
}

function text({ pattern, format, minLength = 0, maxLength = 1000 }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 60) }),
    fc.lorem({ maxCount: 8 }).map((words) => words.slice(0, maxLength)),
    fc.constantFrom('a'.repeat(Math.max(1, minLength)), 'é'.repeat(Math.min(maxLength, 2000))),
  )
}

/** Strings that often break services. */
export const hostileTexts = splitAtBars(
  "¦ ¦\u0000¦a\u0000b¦\ud800¦\udfffx¦\u202e\u200b\ufeff¦../../etc/passwd¦'; drop table skills; --",
  '%00¦%¦%zz¦{{7*7}}¦<script>alert(1)</script>¦\r\nSet-Cookie: a=b¦__proto__¦constructor¦toString',
  'hasOwnProperty¦NaN¦-0¦1e309¦0x10¦true¦null¦[]¦*¦"¦\\¦I\u0307',
).concat('9'.repeat(400), 'ß'.repeat(300), '👩‍👩‍👧‍👦'.repeat(20), 'a'.repeat(5000))

const hostileNumbers = [0, -0, -1, 1.5, 1e21, 2 ** 53, -(2 ** 63), Number.MAX_VALUE]

/** Generates JSON values, with hostile strings more often than chance. */
export const garbage: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(...hostileNumbers),
  fc.constantFrom<unknown>(null, true, [], {}, [[]], [null], { length: 1e9 }),
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 200 }),
)

type Fields = Record<string, unknown>

/** Generates objects with one defect: a field changed, dropped, doubled or added. */
export const mutated = (fields: fc.Arbitrary<Fields>, names: string[]): fc.Arbitrary<Fields> =>
  fc
    .tuple(
      fields,
      fc.constantFrom(...names, 'unknownField', '__proto__', 'constructor'),
      fc.constantFrom('replace', 'drop', 'wrap', 'repeat'),
      garbage,
    )
    .map(([original, name, how, value]) => {
      const others = Object.entries(original).filter(([key]) => key !== name)
      const changed = change(original[name], how, value)
      return Object.fromEntries(how === 'drop' ? others : [...others, [name, changed]])
    })

function change(original: unknown, how: string, value: unknown): unknown {
  if (how === 'wrap') return [original]
  if (how !== 'repeat') return value
  // An object without a prototype has no toString.
  return (typeof original === 'object' ? JSON.stringify(original) : `${original}`).repeat(300)
}
