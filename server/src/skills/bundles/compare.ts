import { comparePaths } from '@skillpass/contract'
import type { FileEntry } from './entry.ts'

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
