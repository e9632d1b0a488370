import { z } from 'zod'
import { type ContractRoute, capitalized } from './routes.ts'
import { referenceOf, resolved, type Schema, schemaOf } from './schemas.ts'
import { type Declare, typeOf } from './types.ts'

/**
 * Generates the only parameter of a call: `params`, `query` and `body` of the route, and
 * `CallSettings`.
 */
export function parameterOf(name: string, found: ContractRoute, declare: Declare): string {
  const parts = partsOf(found).map((part) => generatePart(name, found, part, declare))
  const fields = parts.map(({ field }) => field).join('; ')
  const isRequired = parts.some(({ isRequired }) => isRequired)
  return `input${isRequired ? '' : '?'}: CallSettings${fields && ` & { ${fields} }`}`
}

const titles = { params: 'Path parameters', query: 'Query', body: 'Body' }

function partsOf({ route, metadata }: ContractRoute) {
  const body = 'body' in route ? route.body : undefined
  // Forms may hold secrets, which do not belong in a URL, so send them in the body.
  const form = body instanceof z.ZodType ? body : route.query
  const declared = [
    ['params', route.pathParams],
    ['query', metadata.form ? undefined : route.query],
    ['body', metadata.form ? form : body],
  ] as const
  return declared.flatMap(([key, schema]) => (schema instanceof z.ZodType ? [{ key, schema }] : []))
}

function generatePart(
  name: string,
  found: ContractRoute,
  { key, schema }: ReturnType<typeof partsOf>[number],
  declare: Declare,
) {
  // The input type of a query also allows numbers as strings. The output type is simpler.
  const converted = schemaOf(schema, key === 'body' ? 'input' : 'output')
  const hasName = referenceOf(converted) !== undefined || converted.type !== 'object'
  const about = { description: `${titles[key]} of \`${found.where}\`.`, ...converted }
  const type = hasName ? typeOf(converted) : declare(name + capitalized(key), about)
  const sent = key === 'body' ? bodyType(type, found) : type
  const isRequired = key === 'body' || hasRequiredFields(resolved(converted))
  return { field: isRequired ? `${key}: ${sent}` : `${key}?: ${sent} | undefined`, isRequired }
}

/** A form may be an encoded string. Bytes are a `Uint8Array` or a `Blob`, as in `fetch`. */
function bodyType(type: string, { metadata }: ContractRoute): string {
  if (metadata.bytes !== undefined) return 'Uint8Array<ArrayBuffer> | Blob'
  return metadata.form ? `${type} | string` : type
}

/** Returns whether a caller must set at least one field. */
function hasRequiredFields({ type, required = [], properties = {} }: Schema): boolean {
  if (type !== 'object') return true
  return required.some((name) => {
    const field = properties[name]
    return typeof field !== 'object' || field.default === undefined
  })
}
