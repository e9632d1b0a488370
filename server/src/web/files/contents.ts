import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'
import { structuredPatch } from 'diff'
import { LRUCache } from 'lru-cache'
import { countLines } from '../../lint/text.ts'
import { type FileChange, type FileEntry, readText } from '../../skills/bundles/entries.ts'
import type { openVersionAt } from '../../skills/files.ts'
import { markHidden } from '../readme/hidden-text.ts'
import { number } from '../ui/parts.tsx'

export type FoundVersion = Exclude<Awaited<ReturnType<typeof openVersionAt>>, { moved: unknown }>

/** Limits on the file contents that a page shows. */
const bounds = {
  bytes: 256 * 1024,
  lines: 10_000,
  /** Files on a page whose changes are shown line by line. */
  changedFiles: 30,
  /** Totals over all changes on a page. */
  changedLines: 5000,
  changedCharacters: 512 * 1024,
  /** Added and removed lines of a file. Comparing takes time proportional to their square. */
  edits: 700,
  /** Sum of the squares of `edits` over all files on a page. */
  effort: 1_500_000,
} as const

export type ShownText = Awaited<ReturnType<typeof showText>>

/**
 * Reads the text of a file with hidden characters made visible, and its highlighted HTML. `plain`
 * is a sentence that says why a file of a known language is not highlighted.
 */
export async function showText(file: FileEntry) {
  const content = await readText(file, bounds.bytes)
  if (!('text' in content)) return content
  const isTerminated = content.text === '' || content.text.endsWith('\n')
  const lines = countLines(content.text) + (isTerminated ? 0 : 1)
  if (lines > bounds.lines) return { reason: 'large' as const }
  const text = markHidden(content.text)
  const language = await languageOf(file.path)
  if (language === undefined) return { text, lines, html: null }
  if (text.length > longestHighlighted) return { text, lines, html: null, plain: plainReasons.long }
  const html = await highlight(language, text, file.digest)
  return { text, lines, html, plain: html === null ? plainReasons.slow : undefined }
}

/** A changed file with its hunks, or the reason why they are not shown. */
type ShownChange = FileChange & { readonly changed: Awaited<ReturnType<typeof changedLines>> }

/** Compares changed files until the limits of a page are reached. */
export async function showChanges(changes: readonly FileChange[]): Promise<ShownChange[]> {
  const shown: ShownChange[] = []
  let [lines, characters, effort] = [0, 0, bounds.effort]
  for (const change of changes) {
    const isFull =
      shown.length >= bounds.changedFiles ||
      lines >= bounds.changedLines ||
      characters >= bounds.changedCharacters
    const edits = Math.min(bounds.edits, Math.floor(Math.sqrt(Math.max(0, effort))))
    const changed = await changedLines(change, isFull, edits)
    if (typeof changed === 'string') {
      if (changed === 'too much') effort -= edits ** 2
      shown.push({ ...change, changed })
      continue
    }
    const added = changed.flatMap((hunk) => hunk.lines)
    effort -= added.filter((line) => !line.startsWith(' ')).length ** 2
    lines += added.length
    characters += added.reduce((sum, line) => sum + line.length, 0)
    const fits = lines <= bounds.changedLines && characters <= bounds.changedCharacters
    shown.push({ ...change, changed: fits ? changed : 'no room' })
  }
  return shown
}

async function changedLines({ before, after }: FileChange, isFull: boolean, maxEditLength: number) {
  if (before?.digest === after?.digest) return 'nothing'
  if (isFull) return 'no room'
  const [oldSide, newSide] = [await readSide(before), await readSide(after)]
  if ('reason' in oldSide) return oldSide.reason
  if ('reason' in newSide) return newSide.reason
  await yieldToEventLoop()
  const texts = [markHidden(oldSide.text), markHidden(newSide.text)] as const
  const patch = structuredPatch('', '', ...texts, '', '', { context: 3, maxEditLength })
  if (!patch) return 'too much'
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    /** Position in both texts, as in patches. */
    place: `-${oldStart},${oldLines} +${newStart},${newLines}`,
    /** Lines prefixed with `-`, `+` or a space. */
    lines,
  }))
}

const readSide = async (file: FileEntry | undefined) =>
  file ? readText(file, bounds.bytes) : { text: '' }

const longestHighlighted = 64 * 1024

const plainReasons = {
  long: `Shown without highlighting, because the file has more than ${number(longestHighlighted)} characters.`,
  slow: 'Shown without highlighting, because highlighting this file takes too long.',
}

/** Milliseconds after which highlighting is aborted: a hostile text would take minutes. */
const timeout = 60

const context: { work?: () => string } = createContext({})
const script = new Script('work()')

const cache = new LRUCache<string, { html: string | null }>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ html }) => 500 + (html?.length ?? 0),
})

/** Returns highlighted HTML, or null if that takes too long. `language` comes from `languageOf`. */
async function highlight(language: string, text: string, digest: string) {
  const key = `${language} ${digest}`
  const found = cache.get(key)
  if (found) return found.html
  const { highlight } = await load()
  // Compile the grammar outside the time limit.
  highlight('', { language })
  context.work = () => highlight(text, { language, ignoreIllegals: true }).value
  const html = runInTime()
  cache.set(key, { html })
  return html
}

function runInTime(): string | null {
  const before = process.cpuUsage()
  for (;;) {
    try {
      return script.runInContext(context, { timeout })
    } catch (error) {
      if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      // Give up only if this process used half of the time; other processes may have used the CPU.
      if (process.cpuUsage(before).user > timeout * 500) return null
    }
  }
}

/** Loads highlight.js on first use, since it takes 9 MB of memory. */
async function load() {
  const { default: hljs } = await import('highlight.js/lib/common')
  hljs.registerAliases('htm', { languageName: 'xml' })
  hljs.registerAliases('jsonl', { languageName: 'json' })
  hljs.unregisterLanguage('plaintext')
  return hljs
}

/** Returns the language of a file by its extension; undefined if it is unknown. */
async function languageOf(path: string): Promise<string | undefined> {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  return ending !== undefined && (await load()).getLanguage(ending) ? ending : undefined
}
