import type { JSX } from 'preact'
import { number } from '../ui/format.tsx'
import type { SearchPage } from './registry-data.ts'

interface PagerProps {
  results: Pick<SearchPage, 'page' | 'limit' | 'total' | 'hasMore' | 'data'>
  /** Address of a page of the same list, from 1. */
  pathOf: (page: number) => string
}

/** The ways to the pages before and after; nothing where there is one page alone. */
export function Pager({ results, pathOf }: PagerProps): JSX.Element | null {
  const { page, limit, total, hasMore, data } = results
  if (page === 1 && !hasMore) return null
  const first = (page - 1) * limit + 1
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {page > 1 && (
          <a rel="prev" href={pathOf(page - 1)}>
            Previous page
          </a>
        )}
      </span>
      <span class="muted">
        {number(first)}–{number(first + data.length - 1)} of {number(total)}
      </span>
      <span>
        {hasMore && (
          <a rel="next" href={pathOf(page + 1)}>
            Next page
          </a>
        )}
      </span>
    </nav>
  )
}

/** Stands for a page behind the last one. */
export function NoSuchPage({ results, pathOf }: PagerProps): JSX.Element {
  const { page, limit, total } = results
  const last = Math.ceil(total / limit)
  return (
    <p class="empty">
      There is no page {number(page)}.{' '}
      <a href={pathOf(last)}>Go to the last page, {number(last)}</a>
    </p>
  )
}
