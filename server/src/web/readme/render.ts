import { setImmediate as turn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { readFrontmatter, splitFrontmatter } from '../../registry/frontmatter/frontmatter.ts'
import { markHidden } from './hidden.ts'
import { renderMarkdown } from './markdown.ts'
import { sanitise } from './sanitise.ts'

/** A readme made ready for the page. */
export interface RenderedReadme {
  /** Keys and values of the YAML block at its top. */
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

/** Whether formatting takes less than about 100 ms. */
export function isQuickToFormat(text: string): boolean {
  if (text.length > formatted.length) return false
  let [brackets, open, marks, cells] = [0, 0, 0, 0]
  let [lines, pipes, widest] = [0, 0, 0]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isMark[code] !== 1) continue
    marks++
    if (code === bracket) {
      brackets++
      if (++open > formatted.open) return false
    } else if (code === closing) open = Math.max(0, open - 1)
    else if (code === pipe) widest = Math.max(widest, ++pipes)
    else if (code === newline) {
      // An empty line ends a table; until then each line may become a row as wide as the widest.
      const ended = text.charCodeAt(i - 1) === newline
      cells += ended ? lines * widest : 0
      lines = ended ? 0 : lines + 1
      widest = ended ? 0 : widest
      pipes = 0
    }
  }
  cells += (lines + 1) * widest
  return brackets <= formatted.brackets && marks <= formatted.marks && cells <= formatted.cells
}

const [bracket, closing, pipe, newline] = [0x5b, 0x5d, 0x7c, 0x0a]
const isMark = new Uint8Array(128)
for (const mark of '[]*_~`<>&|"!\\\n') isMark[mark.charCodeAt(0)] = 1

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
