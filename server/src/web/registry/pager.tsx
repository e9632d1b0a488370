import { number } from '../ui/parts.tsx'
import type { SearchPage } from './registry-data.ts'
import { SkillList, type SkillListProps } from './skill-list.tsx'

interface SkillPageProps extends Omit<SkillListProps, 'skills'> {
  results: SearchPage
  /** Path of a page of the list, counted from 1. */
  pathOf: (page: number) => string
}

/** A page of skills with links to the previous and next page, or past the end to the last page. */
export function SkillPage({ results, pathOf, ...list }: SkillPageProps) {
  const { page, limit, total, hasMore, data } = results
  if (data.length === 0) {
    const last = Math.ceil(total / limit)
    return (
      <p class="empty">
        There is no page {number(page)}.{' '}
        <a href={pathOf(last)}>Go to the last page, {number(last)}</a>
      </p>
    )
  }
  const first = (page - 1) * limit + 1
  return (
    <>
      <SkillList skills={data} {...list} />
      {(page > 1 || hasMore) && (
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
      )}
    </>
  )
}
