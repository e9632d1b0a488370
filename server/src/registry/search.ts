import type { Context } from '../context.ts'
import { skillItem } from './present.ts'
import type { SkillRecord } from './store/skills.ts'
import { topOf } from './top.ts'

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
  const start = (page - 1) * limit
  const { cards, total } = query.q === undefined ? browse(ctx, query) : match(ctx, query, query.q)
  return {
    data: cards.slice(start, start + limit).map((card) => skillItem(ctx, card)),
    total,
    page,
    limit,
    hasMore: start + limit < total,
  }
}

/** Skills in order, at least up to the end of the page asked for. */
interface Found {
  cards: SkillRecord[]
  total: number
}

function browse(ctx: Context, query: SearchQuery): Found {
  const all = ordered(ctx, orders[query.sort])
  const accepts = filterOf(query)
  const cards = accepts ? all.filter(accepts) : all
  return { cards, total: cards.length }
}

function match(ctx: Context, query: SearchQuery, q: string): Found {
  const { catalogue } = ctx
  const { slots, scores, count } = catalogue.index.search(q)
  const cards = new Array<SkillRecord | undefined>(count)
  const cardOf = (number: number) => {
    cards[number] ??= catalogue.atSlot(slots[number] ?? 0)
    return cards[number]
  }
  const accepts = filterOf(query)
  const kept: number[] = []
  for (let number = 0; number < count; number++) {
    const card = accepts && cardOf(number)
    if (!accepts || (card && accepts(card))) kept.push(number)
  }
  // Cards are looked up only where scores do not decide: most matches are far from the first page.
  const order = query.sort === 'stars' ? byStars : orders[query.sort]
  const before = (a: number, b: number) => {
    const [one, other] = [kept[a] ?? 0, kept[b] ?? 0]
    const difference = (scores[other] ?? 0) - (scores[one] ?? 0)
    if (query.sort === 'stars' && difference !== 0) return difference < 0
    const [card, otherCard] = [cardOf(one), cardOf(other)]
    return card !== undefined && (otherCard === undefined || order(card, otherCard) < 0)
  }
  const top = topOf(kept.length, query.page * query.limit, before)
  return { cards: top.flatMap((index) => cardOf(kept[index] ?? 0) ?? []), total: kept.length }
}

/** The top skills by stars, all time. */
export function trendingSkills(ctx: Context, limit: number) {
  const cards = ordered(ctx, trending).slice(0, limit)
  return { data: cards.map((card) => skillItem(ctx, card)), total: cards.length }
}

/** What the filters ask for; nothing when there are none. */
function filterOf({ tags, owner, repo }: SearchQuery) {
  const wantedTags = (tags ?? '')
    .split(',')
    .map((tag) => tag.trim().toLowerCase())
    .filter((tag) => tag !== '')
  if (wantedTags.length === 0 && owner === undefined && repo === undefined) return undefined
  const [wantedOwner, wantedRepo] = [owner?.toLowerCase(), repo?.toLowerCase()]
  return ({ repository, tags: has }: SkillRecord): boolean =>
    (wantedOwner === undefined || repository.owner.toLowerCase() === wantedOwner) &&
    (wantedRepo === undefined || repository.name.toLowerCase() === wantedRepo) &&
    wantedTags.every((wanted) => has.some((tag) => tag.toLowerCase() === wanted))
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
