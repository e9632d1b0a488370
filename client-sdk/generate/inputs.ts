import { z } from 'zod'
import { capitalized, type FoundRoute } from './routes.ts'
import { type NamedSchemas, referenceOf, type Schema, schemaOf } from './schemas.ts'
import type { Writing } from './types.ts'

/** What a call takes: what the contract declares, and the settings of a call, as its only parameter. */
export function parameterOf(name: string, found: FoundRoute, writing: Writing): string {
  const parts = partsOf(found).map((part) => writePart(name, found, part, writing))
  const fields = parts.map(({ field }) => field).join('; ')
  const isNeeded = parts.some(({ isNeeded }) => isNeeded)
  return `input${isNeeded ? '' : '?'}: CallSettings${fields && ` & { ${fields} }`}`
}

interface Part {
  readonly key: 'params' | 'query' | 'body'
  readonly schema: z.ZodType
}

function partsOf({ route, metadata }: FoundRoute): Part[] {
  const body = 'body' in route ? route.body : undefined
  // Secrets must not stand in addresses: what may be sent in either place goes in the body.
  const form = body instanceof z.ZodType ? body : route.query
  const declared = [
    ['params', route.pathParams],
    ['query', metadata.form ? undefined : route.query],
    ['body', metadata.form ? form : body],
  ] as const
  return declared.flatMap(([key, schema]) => (schema instanceof z.ZodType ? [{ key, schema }] : []))
}

function writePart(name: string, found: FoundRoute, { key, schema }: Part, writing: Writing) {
  const { types, named, file, declare } = writing
  // A number in the query may also be sent as text, which would only confuse here.
  const converted = schemaOf(schema, key === 'body' ? 'input' : 'output', named, file)
  const hasName = referenceOf(converted) !== undefined || converted.type !== 'object'
  const about = { description: `The ${key} of \`${found.where}\`.`, ...converted }
  const type = hasName ? types.typeOf(converted) : declare(name + capitalized(key), about)
  const sent = key === 'body' ? sentAs(type, found) : type
  const isNeeded = key === 'body' || needsFields(converted, named)
  return { field: isNeeded ? `${key}: ${sent}` : `${key}?: ${sent} | undefined`, isNeeded }
}

/** Forms may be given as they go over the wire; bytes are given as what `fetch` takes for a body. */
function sentAs(type: string, { metadata }: FoundRoute): string {
  if (metadata.bytes !== undefined) return 'Uint8Array<ArrayBuffer> | Blob'
  return metadata.form ? `${type} | string` : type
}

/** Whether a value of a schema must have a field that has no default. */
function needsFields(schema: Schema, named: NamedSchemas): boolean {
  const reference = referenceOf(schema)
  const found = reference === undefined ? schema : named.get(reference)?.schema
  if (found?.type !== 'object') return true
  const { required = [], properties = {} } = found
  return required.some((name) => {
    const field = properties[name]
    return typeof field !== 'object' || field.default === undefined
  })
}
