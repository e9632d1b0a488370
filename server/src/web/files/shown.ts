import type { FileChange } from '../../registry/bundles/compare.ts'
import type { FileEntry } from '../../registry/bundles/entry.ts'
import { type FileText, readText } from '../../registry/bundles/read-text.ts'
import { markHidden } from '../readme/hidden.ts'
import type { Hunk } from './difference.ts'
import { compared, highlighted } from './thread.ts'

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

/** The text of a file, hidden characters spelt out, and its HTML if it is highlighted; or why there is none. */
export type ShownText =
  | { readonly text: string; readonly lines: number; readonly html: string | null }
  | Exclude<FileText, { text: string }>

/** Reads a file for its page. `source` is the client's address. */
export async function showText(source: string, file: FileEntry): Promise<ShownText> {
  const content = await readText(file, bounds.bytes)
  if (!('text' in content)) return content
  const lines = countLines(content.text)
  if (lines > bounds.lines) return { reason: 'large' }
  const text = markHidden(content.text)
  return { text, lines, html: await highlighted(source, file, text) }
}

function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** A file that has changed, with its changed lines, or why the page does not show them. */
export interface ShownChange extends FileChange {
  readonly changed: readonly Hunk[] | 'no room' | 'no text' | 'too much' | 'nothing'
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
  if (former.text === undefined || latter.text === undefined) return 'no text'
  return (await compared(source, former, latter)) ?? 'too much'
}

async function readSide(file: FileEntry | undefined) {
  if (!file) return { digest: '', text: '' }
  return { digest: file.digest, ...(await readText(file, bounds.bytes)) }
}
