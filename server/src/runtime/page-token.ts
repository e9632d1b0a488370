import { createHash } from 'node:crypto'
import { isStorable } from '@skillpass/contract'
import { z } from 'zod'
import { refuseField } from '../errors/failure.ts'
import { parseJson } from '../text/parse-json.ts'

/** The sort key of the last item of a page. */
type Position = readonly (string | number)[]

/**
 * Decodes a `next_page_token`. Returns undefined for the first page. A caller who forges the
 * checksum only reaches another position of the same list. Throws validation_failed.
 */
function placeOf<P>(list: string, token: string, shape: z.ZodType<P>): P | undefined {
  if (token === '') return undefined
  const decoded = Buffer.from(token, 'base64url').toString()
  const text = decoded.slice(checkLength)
  // The decoder ignores invalid characters.
  const isWhole = Buffer.from(decoded).toString('base64url') === token
  if (isWhole && decoded.startsWith(checksum(list, text))) {
    const place = shape.safeParse(parseJson(text))
    if (place.success) return place.data
  }
  return refuseField(
    'query',
    'next_page_token',
    'is not a token of this list; leave it out for the first page',
  )
}

const text = z.string().max(200).refine(isStorable)

/** A position by text, such as an id or a name. */
export const textPlace = z.tuple([text])

/** A position by name, then id. */
export const namePlace = z.tuple([text, text])

/** A position by time (milliseconds since 1970), then id. */
export const timePlace = <Id extends string | number>(id: z.ZodType<Id>) => z.tuple([z.int(), id])

export interface ListPage<T> {
  readonly items: readonly T[]
  readonly pageNumber: number
  /** Empty on the last page. */
  readonly nextPageToken: string
}

/** The requested page. `after` is the token of the previous page, if any. */
export interface PageRequest {
  readonly after?: string | undefined
  readonly limit: number
  /** Number of the page. Without effect with `after`. */
  readonly number?: number
}

/**
 * Reads a page of a list. `list` identifies it with everything it depends on, such as its account
 * and filter; tokens are valid only for that list. `find` returns up to `limit` items after a
 * position, and `place` returns the position of an item. Without a token, `find` skips `offset`
 * items. Throws validation_failed if the token does not belong to this list.
 */
export async function readPage<T, P extends Position>(
  list: string,
  shape: z.ZodType<P>,
  { after = '', limit, number = 1 }: PageRequest,
  find: (after: P | undefined, limit: number, offset: number) => Promise<readonly T[]>,
  place: (last: T) => Position,
): Promise<ListPage<T>> {
  const [pageNumber, start] = placeOf(list, after, z.tuple([z.int(), shape])) ?? [number]
  const found = await find(start, limit + 1, start ? 0 : (number - 1) * limit)
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  if (last === undefined) return { items, pageNumber, nextPageToken: '' }
  const text = JSON.stringify([pageNumber + 1, place(last)])
  const nextPageToken = Buffer.from(checksum(list, text) + text).toString('base64url')
  return { items, pageNumber, nextPageToken }
}

const checkLength = 16

const checksum = (list: string, text: string) =>
  createHash('sha256')
    .update(JSON.stringify([list, text]))
    .digest('base64url')
    .slice(0, checkLength)
