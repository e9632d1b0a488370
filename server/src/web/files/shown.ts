import type { FileChange } from '../../registry/bundles/compare.ts'
import type { FileEntry } from '../../registry/bundles/entry.ts'
import { type FileText, readText } from '../../registry/bundles/read-text.ts'
import { markHidden } from '../readme/hidden.ts'
import type { Hunk } from './difference.ts'
import { languageOf } from './languages.ts'
import { compared, highlighted, type KnownText, longestHighlighted } from './thread.ts'

/** What of the files of strangers a page shows at most. */
const bounds = {
  /** Bytes of a file. */
  bytes: 256 * 1024,
  /** Lines of a file. */
  lines: 10_000,
  /** Files whose changes one page shows line by line. */
  changedFiles: 30,
  /** Lines and characters of all changes on a page. */
  changedLines: 5000,
  changedCharacters: 512 * 1024,
} as const

/** Why a file has no text to show. */
type Unreadable = Exclude<FileText, { text: string }>

/**
 * The text of a file, hidden characters spelt out, and its HTML if it is highlighted, or why it is not, for
 * a language that is known; or why there is no text.
 */
export type ShownText =
  | {
      readonly text: string
      readonly lines: number
      readonly html: string | null
      readonly plain?: 'long' | 'slow'
    }
  | Unreadable

/** Reads a file for its page. `source` is the client's address. */
export async function showText(source: string, file: FileEntry): Promise<ShownText> {
  const content = await readText(file, bounds.bytes)
  if (!('text' in content)) return content
  const lines = countLines(content.text)
  if (lines > bounds.lines) return { reason: 'large' }
  const text = markHidden(content.text)
  const html = await highlighted(source, file, text)
  if (html !== null || languageOf(file.path) === undefined) return { text, lines, html }
  return { text, lines, html, plain: text.length > longestHighlighted ? 'long' : 'slow' }
}

function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** A file that has changed, with its changed lines, or why the page does not show them. */
export interface ShownChange extends FileChange {
  readonly changed: readonly Hunk[] | 'no room' | 'binary' | 'large' | 'too much' | 'nothing'
}

/** Compares the texts of changed files until the page is full. `source` is the client's address. */
export async function showChanges(
  source: string,
  changes: readonly FileChange[],
): Promise<ShownChange[]> {
  const shown: ShownChange[] = []
  let [lines, characters] = [0, 0]
  for (const change of changes) {
    const isFull =
      shown.length >= bounds.changedFiles ||
      lines >= bounds.changedLines ||
      characters >= bounds.changedCharacters
    const changed = await changedLines(source, change, isFull)
    if (typeof changed === 'string') {
      shown.push({ ...change, changed })
      continue
    }
    const added = changed.flatMap((hunk) => hunk.lines)
    lines += added.length
    characters += added.reduce((sum, line) => sum + line.length, 0)
    const fits = lines <= bounds.changedLines && characters <= bounds.changedCharacters
    shown.push({ ...change, changed: fits ? changed : 'no room' })
  }
  return shown
}

async function changedLines(
  source: string,
  { before, after }: FileChange,
  isFull: boolean,
): Promise<ShownChange['changed']> {
  if (before?.digest === after?.digest) return 'nothing'
  if (isFull) return 'no room'
  const [former, latter] = [await readSide(before), await readSide(after)]
  if ('reason' in former) return former.reason
  if ('reason' in latter) return latter.reason
  return (await compared(source, former, latter)) ?? 'too much'
}

async function readSide(file: FileEntry | undefined): Promise<KnownText | Unreadable> {
  if (!file) return { digest: '', text: '' }
  const content = await readText(file, bounds.bytes)
  return 'reason' in content ? content : { digest: file.digest, ...content }
}
