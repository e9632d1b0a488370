import { LRUCache } from 'lru-cache'
import { createAskedLately } from '../../runtime/admission-filter.ts'
import type { Finder, Found } from './finder.ts'

/** Pages of some fifty numbers each. */
const mostPages = 2000
/** About so many may be asked for between two of the same for it to be remembered; a power of 2. */
const askedLately = 4096

/**
 * The pages by relevance that were asked for twice need not be found again while nothing changed that
 * could move a skill: `changes` counts what did. Other orders depend on more, and cost less.
 */
export function rememberPages(find: Finder, changes: () => number): Finder {
  const pages = new LRUCache<string, Found>({ max: mostPages })
  const wasAsked = createAskedLately(askedLately)
  let changesThen = 0
  return (wanted, start, end, bound) => {
    const { q, filter, order } = wanted
    if (q === undefined || order !== 'relevance') return find(wanted, start, end, bound)
    if (changes() !== changesThen) pages.clear()
    changesThen = changes()
    const { owner, repo, tags, verdict } = filter ?? {}
    const key = JSON.stringify([start, end, q, owner, repo, tags, verdict])
    const known = pages.get(key)
    if (known) return known
    const page = find(wanted, start, end, bound)
    if (wasAsked(key)) pages.set(key, page)
    return page
  }
}
