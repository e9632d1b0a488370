import type { AppRoute } from '@ts-rest/core'
import { z } from 'zod'
import type { RouteInput } from './request.ts'

type Query = RouteInput['query']

/** Reads a page: its items, and the query of the next page where there is one. */
type ReadPage = (body: unknown, query: Query) => { items: unknown[]; next?: Query }

/** How the pages of a route are told apart; undefined where the route has none. */
export function pageReaderOf({ responses: { 200: schema } }: AppRoute): ReadPage | undefined {
  if (!(schema instanceof z.ZodObject)) return undefined
  if (Object.keys(NumberedPage.shape).every((key) => key in schema.shape)) return readNumbered
  if (!('next_page_token' in schema.shape)) return undefined
  const list = Object.keys(schema.shape).find((key) => schema.shape[key] instanceof z.ZodArray)
  return list === undefined ? undefined : readWithToken(list)
}

const NumberedPage = z.object({
  data: z.array(z.unknown()),
  page: z.number(),
  hasMore: z.boolean(),
})

const readNumbered: ReadPage = (body, query) => {
  const { data, page, hasMore } = NumberedPage.parse(body)
  return { items: data, ...(hasMore && { next: { ...query, page: page + 1 } }) }
}

/** The resource API names the list after what it holds; an empty token says that it ends. */
const readWithToken = (list: string): ReadPage => {
  return (body, query) => {
    const { next_page_token: token, ...page } = TokenPage.parse(body)
    return {
      items: z.array(z.unknown()).parse(page[list]),
      ...(token && { next: { ...query, next_page_token: token } }),
    }
  }
}

const TokenPage = z.looseObject({ next_page_token: z.string() })

/** The items of every page from `input` on, each page fetched when it is reached. */
export async function* itemsOf<I extends RouteInput>(
  read: ReadPage,
  call: (input: I) => Promise<unknown>,
  input: I,
): AsyncGenerator<unknown, void, undefined> {
  for (let query = input.query; ; ) {
    const { items, next } = read(await call({ ...input, query }), query)
    yield* items
    if (!next) return
    query = next
  }
}
