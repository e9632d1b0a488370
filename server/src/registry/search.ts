import type { Context } from '../context.ts'
import { skillItem } from './present.ts'
import type { SkillRecord } from './store/skills.ts'

export type SearchSort = 'stars' | 'downloads' | 'recent'

export interface SearchQuery {
  q?: string | undefined
  /** Comma-separated; a skill must have all of them. */
  tags?: string | undefined
  owner?: string | undefined
  repo?: string | undefined
  sort: SearchSort
  page: number
  limit: number
}

type Order = (a: SkillRecord, b: SkillRecord) => number

const byId: Order = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Ties break by stars, then id, so that pages never overlap. */
const byStars: Order = (a, b) =>
  b.repository.starCount - a.repository.starCount || b.starCount - a.starCount || byId(a, b)

const orders: Record<SearchSort, Order> = {
  stars: byStars,
  downloads: (a, b) => b.repository.downloadCount - a.repository.downloadCount || byStars(a, b),
  recent: (a, b) => b.updatedAt - a.updatedAt || byStars(a, b),
}

const trending: Order = (a, b) => b.starCount - a.starCount || byStars(a, b)

/** A page of the skills that match (registry spec §4). */
export function searchSkills(ctx: Context, query: SearchQuery) {
  const { page, limit } = query
  const matches = filter(candidates(ctx, query), query)
  const start = (page - 1) * limit
  return {
    data: matches.slice(start, start + limit).map((card) => skillItem(ctx, card)),
    total: matches.length,
    page,
    limit,
    hasMore: start + limit < matches.length,
  }
}

/** The top skills by stars, all time. */
export function trendingSkills(ctx: Context, limit: number) {
  const cards = ordered(ctx, trending).slice(0, limit)
  return { data: cards.map((card) => skillItem(ctx, card)), total: cards.length }
}

/** What `q` matches, in the order asked for; everything without `q`. */
function candidates(ctx: Context, { q, sort }: SearchQuery): SkillRecord[] {
  if (q === undefined) return ordered(ctx, orders[sort])
  const scores = new Map<SkillRecord, number>()
  for (const { id, score } of ctx.catalogue.index.search(q)) {
    const card = ctx.catalogue.get(id)
    if (card) scores.set(card, score)
  }
  const relevance: Order = (a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || byStars(a, b)
  return [...scores.keys()].sort(sort === 'stars' ? relevance : orders[sort])
}

function filter(cards: SkillRecord[], { tags, owner, repo }: SearchQuery): SkillRecord[] {
  const wantedTags = (tags ?? '')
    .split(',')
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => tag !== '')
  if (wantedTags.length === 0 && owner === undefined && repo === undefined) return cards
  const [wantedOwner, wantedRepo] = [owner?.toLowerCase(), repo?.toLowerCase()]
  return cards.filter(
    ({ repository, tags: has }) =>
      (wantedOwner === undefined || repository.owner.toLowerCase() === wantedOwner) &&
      (wantedRepo === undefined || repository.name.toLowerCase() === wantedRepo) &&
      wantedTags.every((wanted) => has.some((tag) => tag.toLowerCase() === wanted)),
  )
}

/** Sorted lists by catalogue and order. */
const sorted = new WeakMap<object, Map<Order, { generation: number; cards: SkillRecord[] }>>()

function ordered({ catalogue }: Context, order: Order): SkillRecord[] {
  const lists = sorted.get(catalogue) ?? new Map()
  sorted.set(catalogue, lists)
  const known = lists.get(order)
  if (known?.generation === catalogue.generation) return known.cards
  // Starting from the former order leaves the sort little to do: about one pass.
  const former = new Set<SkillRecord>(known?.cards)
  const kept = [...former].filter((card) => catalogue.get(card.id) === card)
  const added = [...catalogue.cards()].filter((card) => !former.has(card))
  const cards = [...kept, ...added].sort(order)
  lists.set(order, { generation: catalogue.generation, cards })
  return cards
}
