import type { AppRoute } from '@ts-rest/core'
import { z } from 'zod'
import { snakeName } from '../../text/case.ts'
import type { FieldSpec } from '../ui/fields.tsx'
import type { Form } from '../ui/form.ts'
import { capitalize, sentence } from '../ui/parts.tsx'

export type FieldSpecs = Readonly<Record<string, FieldSpec>>

/** Returns the schema of what a form sends: the body of a route, or else its query. */
const sentBy = (route: AppRoute): 'body' | 'query' =>
  'body' in route && route.body instanceof z.ZodType ? 'body' : 'query'

/** Describes the fields of a form by the schema of its route. `given` need no field. */
export function fieldsOf(route: AppRoute, given: object = {}): FieldSpecs {
  const schema: unknown = Reflect.get(route, sentBy(route))
  if (!(schema instanceof z.ZodType)) return {}
  const { $ref, $defs = {}, ...plain } = z.toJSONSchema(schema, jsonSchema)
  const { properties = {}, required = [] } = $ref ? ($defs[$ref.slice(8)] ?? {}) : plain
  const specs = Object.entries(properties).flatMap(([name, property]): [string, FieldSpec][] => {
    if (typeof property === 'boolean' || name in given) return []
    const {
      type,
      maxLength,
      format,
      description = '',
      ...more
    } = {
      ...{ ...property, ...(property.anyOf?.[0] as typeof property) },
    }
    if (type === 'boolean') return [[name, { label: nameOf(name), description }]]
    const isRequired = required.includes(name) || more.default !== undefined
    const shared = {
      label: nameOf(name) + (isRequired || route.method === 'PATCH' ? '' : ' (optional)'),
      required: isRequired,
      ...(maxLength && { maxLength }),
      ...(format === 'date-time' && { type: 'date' }),
    }
    return [[name, { ...shared, ...choicesOf(more.enum?.map(String), description) }]]
  })
  return Object.fromEntries(specs)
}

const jsonSchema = { io: 'input', unrepresentable: 'any' } as const

/**
 * Returns the hint of a field, and its choices, each with its sentence of the description. Leaves
 * out other names for a choice.
 */
function choicesOf(choices: readonly string[] | undefined, text: string) {
  if (!choices) return { hint: text.replaceAll('`', '') }
  const each = /`(\w+)`:? ([^.]*)\. */g
  const described = new Map(Array.from(text.matchAll(each), ([, name, does = '']) => [name, does]))
  const options = choices.flatMap((choice) => {
    const does = described.get(choice)?.replaceAll('`', '')
    if (does?.startsWith('is another name')) return []
    return [[choice, does ? sentence(does) : '']]
  })
  return { hint: text.replace(each, ''), options: Object.fromEntries(options) }
}

/** Returns the name of a field for people: `limitedTo` becomes "Limited to". */
export const nameOf = (field: string): string => capitalize(snakeName(field).replaceAll('_', ' '))

/** Reads the fields of a form. Empty ones are left to the route. */
export function readFields(route: AppRoute, specs: FieldSpecs, { one }: Form) {
  const typed = Object.entries(specs).flatMap(([name, { type, description }]) => {
    const text = one(snakeName(name)).trim()
    if (text === '') return []
    return [[name, description !== undefined || (type === 'date' ? `${text}T00:00:00Z` : text)]]
  })
  return { [sentBy(route)]: Object.fromEntries(typed) }
}
