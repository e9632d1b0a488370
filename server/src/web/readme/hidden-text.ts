import { formatCodePoint } from '@skillpass/contract'
import { hiddenRuns } from '../../lint/hidden.ts'

/**
 * Replaces each run of invisible characters by a mark such as `‹U+202E›`. Characters that emoji and
 * scripts need are kept.
 */
export function markHidden(text: string): string {
  let marked = ''
  let last = 0
  for (const [start, end] of hiddenRuns(text)) {
    marked += text.slice(last, start) + markOf(text.slice(start, end))
    last = end
  }
  return marked + text.slice(last)
}

function markOf(run: string): string {
  const [first = ''] = run
  const more = [...run.slice(0, 2000)].length - 1
  return `‹${formatCodePoint(first)}${more > 0 ? ` and ${more} more` : ''}›`
}
