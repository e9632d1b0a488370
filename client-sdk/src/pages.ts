import { UnexpectedResponseError } from './errors.ts'
import type { RouteInput } from './request.ts'
import type { Pages } from './route.ts'

/**
 * Iterates over the items of all pages, beginning with that of `input`. Fetches each page when
 * needed.
 */
export async function* itemsOf<I extends RouteInput>(
  pages: Pages,
  call: (input: I) => Promise<unknown>,
  input: I,
): AsyncGenerator<unknown, void, undefined> {
  for (let query = input.query; ; ) {
    const page = new Map(Object.entries((await call({ ...input, query })) ?? {}))
    const items: unknown = page.get(pages.list)
    if (!Array.isArray(items)) {
      const message = `A page has no list "${pages.list}". Is this the address of a Skillpass service?`
      throw new UnexpectedResponseError({ message, body: Object.fromEntries(page) })
    }
    yield* items
    const next = nextOf(pages, page)
    // The list of changes has no last page, so an empty one ends the iteration.
    if (next === undefined || (pages.next === 'after' && items.length === 0)) return
    query = { ...query, [pages.next]: next }
  }
}

/** Returns the query parameter of the next page; undefined on the last page. */
function nextOf({ next }: Pages, page: ReadonlyMap<string, unknown>): string | number | undefined {
  if (next === 'page')
    return page.get('hasMore') === true ? Number(page.get('page')) + 1 : undefined
  const token = page.get(next === 'after' ? 'next' : next)
  return typeof token === 'string' && token !== '' ? token : undefined
}
