import { createHash } from 'node:crypto'
import { isStorable } from '@skillpass/contract'
import { z } from 'zod'
import { failField } from '../errors/failure.ts'
import { parseJson } from '../runtime/parse-json.ts'

/** Values that a list is in order of, from the last item of a page. */
export type Place = readonly (string | number)[]

/**
 * The `next_page_token` of a place in a list. `list` names the list with all that it depends on, as
 * its account or host and its filter: the token is good for no other.
 */
const pageToken = (list: string, place: Place): string => {
  const text = JSON.stringify(place)
  return Buffer.from(checksum(list, text) + text).toString('base64url')
}

/**
 * The place of a `next_page_token` in this list, in the shape of its places; nothing for the first
 * page. Whoever makes a checksum of her own reaches another place of the same list, and nothing else.
 * Throws validation_failed.
 */
function placeOf<P extends Place>(list: string, token: string, shape: z.ZodType<P>): P | undefined {
  if (token === '') return undefined
  const decoded = Buffer.from(token, 'base64url').toString()
  const text = decoded.slice(checkLength)
  // The decoder drops characters that are none of its own.
  const isWhole = Buffer.from(decoded).toString('base64url') === token
  if (isWhole && decoded.startsWith(checksum(list, text))) {
    const place = shape.safeParse(parseJson(text))
    if (place.success) return place.data
  }
  return failField(
    'query',
    'next_page_token',
    'is no token of this list; leave it out for the first page',
  )
}

const text = z.string().max(200).refine(isStorable)

/** A place that is a text, as an id or a name. */
export const textPlace = z.tuple([text])

/** A place in an order of names, and of ids where these are the same. */
export const namePlace = z.tuple([text, text])

/** A place in an order of time: milliseconds since 1970, and an id. */
export const timePlace = <Id extends string | number>(id: z.ZodType<Id>) => z.tuple([z.int(), id])

/** A page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[]
  /** Empty on the last page. */
  readonly nextPageToken: string
}

/** What page is asked for: `after` is the token of the page before, if there is one. */
export interface PageAsked {
  readonly after?: string | undefined
  readonly limit: number
}

/**
 * A page of a list whose places have a shape. `find` gives up to so many items from behind a place, and
 * `place` that of the last one. Throws validation_failed for a token of no page of this list.
 */
export async function readPage<T, P extends Place>(
  list: string,
  shape: z.ZodType<P>,
  { after = '', limit }: PageAsked,
  find: (after: P | undefined, limit: number) => Promise<readonly T[]>,
  place: (last: T) => Place,
): Promise<ListPage<T>> {
  const found = await find(placeOf(list, after, shape), limit + 1)
  const items = found.slice(0, limit)
  const last = found.length > limit ? items.at(-1) : undefined
  return { items, nextPageToken: last === undefined ? '' : pageToken(list, place(last)) }
}

const checkLength = 16

const checksum = (list: string, text: string) =>
  createHash('sha256')
    .update(JSON.stringify([list, text]))
    .digest('base64url')
    .slice(0, checkLength)
