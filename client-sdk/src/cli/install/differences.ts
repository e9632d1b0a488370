import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { plain } from '../command.ts'
import { isGenerated } from '../folder/left-out.ts'
import { kindOf } from './folders.ts'
import { digestOf, type ManifestFile } from './manifest.ts'

/** How a file differs from what a version has at its path. */
export interface Difference {
  readonly path: string
  /** `generated` is an empty folder, or what programs leave behind that run there. */
  readonly what: 'changed' | 'missing' | 'added' | 'generated' | 'mode' | 'not a file'
  /** Digest that the version has; undefined where it has no such file. */
  readonly expected?: string | undefined
  /** Digest of what is there. */
  readonly found?: string | undefined
}

/** How a folder differs from the files of a version; undefined where there is no folder at all. */
export async function differencesOf(
  folder: string,
  files: readonly ManifestFile[],
): Promise<Difference[] | undefined> {
  if ((await kindOf(folder)) !== 'folder') return undefined
  const missing = new Map(files.map((file) => [file.path, file]))
  const folders = new Set(
    files.flatMap(({ path }) =>
      [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1)),
    ),
  )
  const found: Difference[] = []
  const compare = async (below: string) => {
    const names = await readdir(join(folder, below))
    if (names.length === 0 && !folders.has(below)) found.push({ path: below, what: 'generated' })
    for (const name of names) {
      const path = below + name
      const file = missing.get(path)
      missing.delete(path)
      const kind = await kindOf(join(folder, path))
      const isFolder = kind === 'folder'
      const inside = `${path}/`
      if (!file && !folders.has(inside) && isGenerated(path, isFolder)) {
        found.push({ path: isFolder ? inside : path, what: 'generated' })
      } else if (!file && isFolder) await compare(inside)
      else if (!file) found.push({ path, what: 'added' })
      else if (kind !== 'file') found.push({ path, what: 'not a file', expected: file.digest })
      else found.push(...(await compareFile(join(folder, path), file)))
    }
  }
  await compare('')
  for (const { path, digest } of missing.values()) {
    found.push({ path, what: 'missing', expected: digest })
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1))
}

async function compareFile(real: string, file: ManifestFile): Promise<Difference[]> {
  const { path, executable, digest: expected } = file
  const found = digestOf(await readFile(real))
  if (found !== expected) return [{ path, what: 'changed', expected, found }]
  // Windows has no such bit.
  const isExecutable = ((await lstat(real)).mode & 0o100) !== 0
  const differs = process.platform !== 'win32' && isExecutable !== executable
  return differs ? [{ path, what: 'mode', expected, found }] : []
}

/** Whether everything of a version is there as it is to be, whatever was generated beside it. */
export const isAsLocked = (differences: readonly Difference[] | undefined): boolean =>
  differences?.every(({ what }) => what === 'generated') ?? false

/** A difference as a line says it. */
export function differenceLine({ path, what, expected, found }: Difference): string {
  const shown = plain(path)
  if (what === 'changed') return `${shown} is changed: ${found} instead of ${expected}`
  if (what === 'missing') return `${shown} is missing (${expected})`
  if (what === 'added') return `${shown} is not part of it`
  if (what === 'generated') return `${shown} is not part of it, and was generated there`
  if (what === 'mode') return `${shown} has lost or gained its executable bit (${expected})`
  return `${shown} is no plain file (${expected})`
}
