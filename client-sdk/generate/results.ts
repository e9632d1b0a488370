import { pagesOf, responsesOf } from './responses.ts'
import type { ContractRoute } from './routes.ts'
import { referenceOf, resolved, type Schema, schemaOf } from './schemas.ts'
import { type Declare, typeOf } from './types.ts'

/**
 * Generates the result type of a call, and the type of an item if the call returns pages. Throws
 * unless the route has exactly one success body.
 */
export function resultOf(name: string, found: ContractRoute, declare: Declare) {
  const successes = responsesOf(found).filter(({ status }) => status >= 200 && status < 300)
  const [success] = successes
  if (!success || successes.some(({ schema }) => schema !== success.schema)) {
    throw new Error(`${found.where} must have exactly one success response.`)
  }
  if (success.type === null) return { type: 'undefined' }
  if (!success.schema) {
    if (success.type.startsWith('text/')) return { type: 'string' }
    return { type: 'Uint8Array<ArrayBuffer>', isBytes: true }
  }
  const schema = schemaOf(success.schema, 'output')
  const itemType = itemTypeOf(found, resolved(schema))
  if (referenceOf(schema) !== undefined) return { type: typeOf(schema), itemType }
  const about = { description: `Result of \`${found.where}\`.`, ...schema }
  return { type: declare(`${name}Result`, about), itemType }
}

function itemTypeOf(found: ContractRoute, page: Schema) {
  const pages = pagesOf(found)
  if (!pages) return undefined
  const list = page.properties?.[pages.list]
  const item = typeof list === 'object' ? list.items : undefined
  if (typeof item === 'object' && !Array.isArray(item)) return typeOf(item)
  throw new Error(`${found.where} has no list ${pages.list}.`)
}
