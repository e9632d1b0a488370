import { crc32 } from 'node:zlib'
import { comparePaths, type ManifestLine, manifestText } from '@skillpass/contract'
import type { OperatorContext } from '../../runtime/context.ts'
import type { ByteRange } from '../../runtime/object-store.ts'
import type { FileRecord } from '../../store/registry/files.ts'
import { digestOf } from '../../text/digest.ts'
import { installableMarkdown, type VersionText } from '../../text/skill-file/complete.ts'
import { openBlob } from './blobs.ts'

export interface FileEntry {
  readonly path: string
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string
  /** Bytes. */
  readonly size: number
  readonly executable: boolean
  readonly crc32: number
  open(range?: ByteRange): AsyncIterable<Uint8Array>
}

export const manifestDigest = (files: readonly ManifestLine[]): string =>
  digestOf(manifestText(files))

/** Returns the files of a version including SKILL.md, sorted by the bytes of their paths. */
export const entriesOf = (
  ctx: OperatorContext,
  text: VersionText,
  files: readonly FileRecord[],
): FileEntry[] =>
  [skillEntry(text), ...filesOf(ctx, files)].sort((a, b) => comparePaths(a.path, b.path))

/** Returns readable entries for all files except the readme. */
export const filesOf = (ctx: OperatorContext, files: readonly FileRecord[]): FileEntry[] =>
  files.map(({ objectKey, ...file }) => ({
    ...file,
    open: (range) => openBlob(ctx, { ...file, objectKey }, range),
  }))

/** Returns the served SKILL.md: the readme with completed frontmatter. */
function skillEntry(text: VersionText): FileEntry {
  const bytes = Buffer.from(installableMarkdown(text))
  return {
    path: 'SKILL.md',
    digest: digestOf(bytes),
    size: bytes.length,
    executable: false,
    crc32: crc32(bytes),
    async *open({ start, end } = { start: 0, end: bytes.length }) {
      yield bytes.subarray(start, end)
    },
  }
}

/** Reads a whole file, at most 4 MiB. */
export async function readBytes({ size, open }: Pick<FileEntry, 'size' | 'open'>) {
  const bytes = new Uint8Array(size)
  let at = 0
  for await (const chunk of open()) {
    bytes.set(chunk.subarray(0, size - at), at)
    at += chunk.length
  }
  return bytes
}

type FileText = { readonly text: string } | { readonly reason: 'binary' | 'large' }

/** Reads a file of at most `limit` bytes as text. */
export async function readText(file: FileEntry, limit: number): Promise<FileText> {
  if (file.size > limit) return { reason: 'large' }
  const text = await readFirstBytes(file, limit)
  return text === undefined ? { reason: 'binary' } : { text }
}

/**
 * Reads the first `limit` bytes of a text file, without a character that they cut. Returns
 * undefined for a binary file, such as one with a NUL, as in Git.
 */
export async function readFirstBytes({ size, open }: FileEntry, limit: number) {
  const end = Math.min(size, limit)
  const bytes = await readBytes({ size: end, open: () => open({ start: 0, end }) })
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = decoder.decode(bytes, { stream: end < size })
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

export interface FileChange {
  readonly path: string
  readonly before: FileEntry | undefined
  readonly after: FileEntry | undefined
}

/** Compares files by content, mode and path. Sorted by the bytes of the paths. */
export function compareFiles(
  before: readonly FileEntry[],
  after: readonly FileEntry[],
): FileChange[] {
  const filesBefore = new Map(before.map((file) => [file.path, file]))
  const filesAfter = new Map(after.map((file) => [file.path, file]))
  const gone = before.filter(({ path }) => !filesAfter.has(path))
  return [...after, ...gone]
    .map(({ path }) => ({ path, before: filesBefore.get(path), after: filesAfter.get(path) }))
    .filter(({ before, after }) => {
      return before?.digest !== after?.digest || before?.executable !== after?.executable
    })
    .sort((a, b) => comparePaths(a.path, b.path))
}
