import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { readFrontmatter, splitFrontmatter } from '../../skills/frontmatter/frontmatter.ts'
import { markHidden } from './hidden.ts'
import { renderMarkdown } from './markdown.ts'
import { sanitise } from './sanitise.ts'

export interface RenderedReadme {
  frontmatter: [key: string, value: string][]
  /** Safe HTML; null where the text is shown as it is. */
  html: string | null
  text: string
}

/**
 * What is formatted, at most; more would hold the server up for over 100 ms. The parser is slow on
 * marks, quadratic in brackets that stay open, and fills every row of a table up to the width of its head. The
 * largest of 11,970 real readmes (20,000 characters) reach a half of this at most.
 */
const formatted = { length: 64 * 1024, marks: 8000, brackets: 1000, open: 500, cells: 5000 }

const cache = new LRUCache<string, RenderedReadme, string>({
  maxSize: 32 * 1024 * 1024,
  // A string takes up to two bytes a character; the key and the object some hundreds more.
  sizeCalculation: ({ html, text }) => 2 * ((html ?? '').length + text.length) + 1000,
  fetchMethod: (_digest, _stale, { context: readme }) => render(readme),
})

/** Renders a readme, or takes what was rendered for the same digest before. */
export const renderReadme = (readme: string, digest: string): Promise<RenderedReadme> =>
  cache.forceFetch(digest, { context: readme })

/** Each step takes up to 60 ms; others have their turn after it. */
async function render(readme: string): Promise<RenderedReadme> {
  const block = splitFrontmatter(readme)
  const text = markHidden(block?.body ?? readme)
  const frontmatter = block ? readEntries(block.yaml) : []
  if (!isQuickToFormat(text)) return { frontmatter, html: null, text }
  const formatted = renderMarkdown(text)
  await turn()
  const html = sanitise(formatted)
  await turn()
  return { frontmatter, html, text: '' }
}

const count = (text: string, mark: RegExp) => text.match(mark)?.length ?? 0

/** Whether formatting takes less than about 100 ms. */
export function isQuickToFormat(text: string): boolean {
  if (text.length > formatted.length) return false
  if (count(text, /[[\]*_~`<>&|"!\\\n]/g) > formatted.marks) return false
  let [brackets, open] = [0, 0]
  for (const [mark] of text.matchAll(/[[\]]/g)) {
    open = mark === '[' ? open + 1 : Math.max(0, open - 1)
    brackets += mark === '[' ? 1 : 0
    if (open > formatted.open || brackets > formatted.brackets) return false
  }
  // An empty line ends a table; until then each line may become a row as wide as the widest.
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
    markHidden(inWords(value).slice(0, maxValue)),
  ])
}

/** A YAML value as one line of text: lists by commas, maps as `key: value`. */
function inWords(value: unknown, depth = 0): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (depth === 3) return '…'
  const items = Array.isArray(value)
    ? value.slice(0, 50).map((item: unknown) => inWords(item, depth + 1))
    : Object.entries(value)
        .slice(0, 50)
        .map(([key, item]) => `${key}: ${inWords(item, depth + 1)}`)
  return items.join(Array.isArray(value) ? ', ' : '; ')
}
