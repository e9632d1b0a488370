import { answersOf, pagesOf } from './answers.ts'
import type { FoundRoute } from './routes.ts'
import { referenceOf, resolved, type Schema, schemaOf } from './schemas.ts'
import { type Declare, typeOf } from './types.ts'

/** The type of what a call gives. */
export interface Result {
  readonly type: string
  /** The type of an item, where the call gives pages. */
  readonly itemType?: string | undefined
  /** Whether the call gives bytes, which may come in parts. */
  readonly isBytes?: boolean
}

/** Writes what a call gives: the body of the success answer, of which a route has one. */
export function resultOf(name: string, found: FoundRoute, declare: Declare): Result {
  const successes = answersOf(found).filter(({ status }) => status >= 200 && status < 300)
  const [success] = successes
  if (!success || successes.some(({ schema }) => schema !== success.schema)) {
    throw new Error(`${found.where} has no one success answer.`)
  }
  if (success.type === null) return { type: 'undefined' }
  if (!success.schema) {
    if (success.type.startsWith('text/')) return { type: 'string' }
    return { type: 'Uint8Array<ArrayBuffer>', isBytes: true }
  }
  const schema = schemaOf(success.schema, 'output')
  const itemType = itemTypeOf(found, resolved(schema))
  if (referenceOf(schema) !== undefined) return { type: typeOf(schema), itemType }
  const about = { description: `What \`${found.where}\` answers.`, ...schema }
  return { type: declare(`${name}Result`, about), itemType }
}

function itemTypeOf(found: FoundRoute, page: Schema) {
  const pages = pagesOf(found)
  if (!pages) return undefined
  const list = page.properties?.[pages.list]
  const item = typeof list === 'object' ? list.items : undefined
  if (typeof item === 'object' && !Array.isArray(item)) return typeOf(item)
  throw new Error(`${found.where} has no list ${pages.list}.`)
}
