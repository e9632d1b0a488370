import { formatCodePoint } from '@skillpass/contract'
import { hiddenRuns } from '../../moderation/lint/hidden-text.ts'

/**
 * A text with a visible mark, such as `‹U+202E›`, in place of each run of characters that a reader
 * would not see. What emoji and scripts need stays.
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
