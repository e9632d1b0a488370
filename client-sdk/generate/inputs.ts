import { z } from 'zod'
import { capitalized, type FoundRoute } from './routes.ts'
import { referenceOf, resolved, type Schema, schemaOf } from './schemas.ts'
import { type Declare, typeOf } from './types.ts'

/** What a call takes: what the contract declares, and the settings of a call, as its only parameter. */
export function parameterOf(name: string, found: FoundRoute, declare: Declare): string {
  const parts = partsOf(found).map((part) => writePart(name, found, part, declare))
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

function writePart(name: string, found: FoundRoute, { key, schema }: Part, declare: Declare) {
  // A number in the query may also be sent as text, which would only confuse here.
  const converted = schemaOf(schema, key === 'body' ? 'input' : 'output')
  const hasName = referenceOf(converted) !== undefined || converted.type !== 'object'
  const about = { description: `The ${key} of \`${found.where}\`.`, ...converted }
  const type = hasName ? typeOf(converted) : declare(name + capitalized(key), about)
  const sent = key === 'body' ? sentAs(type, found) : type
  const isNeeded = key === 'body' || needsFields(resolved(converted))
  return { field: isNeeded ? `${key}: ${sent}` : `${key}?: ${sent} | undefined`, isNeeded }
}

/** Forms may be given as they go over the wire; bytes are given as what `fetch` takes for a body. */
function sentAs(type: string, { metadata }: FoundRoute): string {
  if (metadata.bytes !== undefined) return 'Uint8Array<ArrayBuffer> | Blob'
  return metadata.form ? `${type} | string` : type
}

/** Whether a value of a schema must have a field that has no default. */
function needsFields({ type, required = [], properties = {} }: Schema): boolean {
  if (type !== 'object') return true
  return required.some((name) => {
    const field = properties[name]
    return typeof field !== 'object' || field.default === undefined
  })
}
