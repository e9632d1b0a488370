import type { Catalogue } from './catalogue.ts'

/** Skills that are asked for; more make the first turns no shorter. */
const ASKED = 4

/** What a caller asks who says nothing else. */
const PAGE = 20
const HITS = { limit: 10, threshold: 0.3 }

/**
 * Asks for some of the skills before anybody else does, so that what answers is compiled: the first
 * callers would else wait 20 to 40 ms, and the event loop be held for most of it.
 */
export function warmUp(catalogue: Catalogue): void {
  const { skills } = catalogue.find({ order: 'trending' }, 0, ASKED)
  for (const { name, description } of skills) {
    catalogue.index.answer(catalogue.index.rank(description, HITS))
    catalogue.find({ q: name, order: 'relevance' }, 0, PAGE)
  }
}
