import { comparePaths } from '@skillpass/contract'
import type { FileEntry } from './entry.ts'

/** A file that two versions do not have alike; one of them may not have it at all. */
export interface FileChange {
  readonly path: string
  readonly before: FileEntry | undefined
  readonly after: FileEntry | undefined
}

/** What differs between the files of two versions, in the byte order of their paths: bytes, modes, names. */
export function compareFiles(
  before: readonly FileEntry[],
  after: readonly FileEntry[],
): FileChange[] {
  const former = new Map(before.map((file) => [file.path, file]))
  const latter = new Map(after.map((file) => [file.path, file]))
  const gone = before.filter(({ path }) => !latter.has(path))
  return [...after, ...gone]
    .map(({ path }) => ({ path, before: former.get(path), after: latter.get(path) }))
    .filter(({ before, after }) => {
      return before?.digest !== after?.digest || before?.executable !== after?.executable
    })
    .sort((a, b) => comparePaths(a.path, b.path))
}
