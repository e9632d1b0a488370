import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { readFrontmatter, splitFrontmatter } from '../../text/frontmatter.ts'
import { markHidden } from './hidden-text.ts'
import { renderMarkdown, sanitize } from './markdown.ts'

export interface RenderedReadme {
  frontmatter: [key: string, value: string][]
  /** Sanitized HTML; null if the readme is shown as plain text. */
  html: string | null
  text: string
}

/**
 * Limits of formatted readmes; larger ones could block the event loop for over 100 ms. The parser
 * is slow on marks, quadratic in open brackets, and pads every table row to the width of its head.
 * The largest of 11,970 real readmes (20,000 characters) reach at most half of each limit.
 */
const formatted = { length: 64 * 1024, marks: 8000, brackets: 1000, open: 500, cells: 5000 }

const cache = new LRUCache<string, RenderedReadme, string>({
  maxSize: 32 * 1024 * 1024,
  // Two bytes a character at most, plus the key and the object.
  sizeCalculation: (readme) => 2 * JSON.stringify(readme).length + 1000,
  fetchMethod: (_digest, _stale, { context: readme }) => render(readme),
})

/** Renders a readme, cached by digest. */
export const renderReadme = (readme: string, digest: string): Promise<RenderedReadme> =>
  cache.forceFetch(digest, { context: readme })

/** Yields to the event loop after each step, which takes up to 60 ms. */
async function render(readme: string): Promise<RenderedReadme> {
  const block = splitFrontmatter(readme)
  const text = markHidden(block?.body ?? readme)
  const frontmatter = block ? readEntries(block.yaml) : []
  if (!isQuickToFormat(text)) return { frontmatter, html: null, text }
  const formatted = renderMarkdown(text)
  await yieldToEventLoop()
  const html = sanitize(formatted)
  await yieldToEventLoop()
  return { frontmatter, html, text: '' }
}

const count = (text: string, mark: RegExp) => text.match(mark)?.length ?? 0

/** Whether a text is within the limits of formatting. */
export function isQuickToFormat(text: string): boolean {
  if (text.length > formatted.length) return false
  if (count(text, /[[\]*_~`<>&|"!\\\n]/g) > formatted.marks) return false
  let [brackets, open] = [0, 0]
  for (const [mark] of text.matchAll(/[[\]]/g)) {
    open = mark === '[' ? open + 1 : Math.max(0, open - 1)
    brackets += mark === '[' ? 1 : 0
    if (open > formatted.open || brackets > formatted.brackets) return false
  }
  // Up to an empty line, every line may become a table row as wide as the widest line.
  const cells = text.split('\n\n').map((block) => {
    const rows = block.split('\n')
    return rows.length * Math.max(...rows.map((row) => count(row, /\|/g)))
  })
  return cells.reduce((sum, some) => sum + some, 0) <= formatted.cells
}

const maxEntries = 30
const maxValue = 2000

function readEntries(yaml: string): [string, string][] {
  const { entries } = readFrontmatter(yaml)
  const pairs = [...entries].slice(0, maxEntries)
  return pairs.map(([key, { value }]) => [
    markHidden(key.slice(0, 100)),
    markHidden(formatValue(value).slice(0, maxValue)),
  ])
}

/** Formats a YAML value as one line: lists with commas, maps as `key: value`. */
function formatValue(value: unknown, depth = 0): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  if (depth === 3) return '…'
  const items = Array.isArray(value)
    ? value.slice(0, 50).map((item: unknown) => formatValue(item, depth + 1))
    : Object.entries(value)
        .slice(0, 50)
        .map(([key, item]) => `${key}: ${formatValue(item, depth + 1)}`)
  return items.join(Array.isArray(value) ? ', ' : '; ')
}
