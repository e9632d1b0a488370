import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../runtime/make-folder.ts'
import { toDisk } from '../runtime/to-disk.ts'
import {
  formatManifest,
  type Manifest,
  manifestName,
  type PartEntry,
  partNamePattern,
  readManifest,
  snapshotFormat,
} from './manifest.ts'
import { readPart, writePart } from './part.ts'
import type { Saved, SnapshotPart } from './saved.ts'

/** Files that no manifest names may be another process's that is still writing; not this long, ms. */
const longestWrite = 3_600_000

/** Parts read at the same time: while one is summed, the system copies the others. */
const readers = 3

export interface SnapshotToWrite extends Saved {
  /** Never used before, of letters, digits and hyphens. */
  readonly id: string
  readonly revision: number
}

export interface WriteOptions {
  /** Called once every byte is on the disk; when it throws, the former snapshot stays. */
  readonly confirm: () => Promise<void>
  /** Gives the writing up. */
  readonly signal: AbortSignal
}

/**
 * Makes a snapshot the folder's only one; immutable parts that it has already are not written again.
 * Gives the bytes written. When it fails, or the process dies, the former snapshot stays.
 */
export async function writeSnapshot(
  folder: string,
  { id, revision, meta, parts }: SnapshotToWrite,
  { confirm, signal }: WriteOptions,
): Promise<number> {
  await makeFolder(folder)
  const former = await readManifest(folder).catch(() => undefined)
  const draft = `${id}.draft`
  const made = [draft]
  const entries: PartEntry[] = []
  let written = 0
  try {
    for (const part of parts) {
      const kept = await findKept(folder, former, part)
      if (kept) entries.push(kept)
      else {
        const file = `${id}-${made.length}.part`
        made.push(file)
        const seal = await writePart(join(folder, file), part, signal)
        written += seal.length
        entries.push({ name: part.name, file, ...seal, immutable: part.immutable })
      }
    }
    await toDisk(folder)
    await confirm()
    await writeWhole(
      join(folder, draft),
      formatManifest({ id, format: snapshotFormat, revision, meta, parts: entries }),
    )
    // Another process may have replaced the former snapshot meanwhile, and its parts with it.
    for (const { file } of entries) await stat(join(folder, file))
    await rename(join(folder, draft), join(folder, manifestName))
  } catch (error) {
    for (const file of made) await remove(folder, file)
    throw error
  }
  await toDisk(folder)
  await sweep(folder, entries, former?.parts ?? [])
  return written
}

/** The entry of an immutable part that the former snapshot holds already, whole as far as one sees. */
async function findKept(
  folder: string,
  former: Manifest | undefined,
  { name, immutable }: SnapshotPart,
): Promise<PartEntry | undefined> {
  if (immutable === undefined) return undefined
  const entry = former?.parts.find((part) => part.immutable === immutable)
  if (!entry) return undefined
  const found = await stat(join(folder, entry.file)).catch(() => undefined)
  return found?.size === entry.length ? { ...entry, name } : undefined
}

async function writeWhole(file: string, text: string) {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Deletes the former snapshot's parts, and what writers that died have left. */
async function sweep(folder: string, current: PartEntry[], former: PartEntry[]) {
  const named = new Set(current.map(({ file }) => file))
  const superseded = new Set(former.map(({ file }) => file))
  const { mtimeMs } = await stat(join(folder, manifestName))
  for (const file of await readdir(folder)) {
    if (named.has(file) || !(partNamePattern.test(file) || file.endsWith('.draft'))) continue
    const found = superseded.has(file) ? undefined : await stat(join(folder, file)).catch(() => {})
    const isLeft = found && mtimeMs - found.mtimeMs > longestWrite
    if (superseded.has(file) || isLeft) await remove(folder, file)
  }
}

const remove = (folder: string, file: string) => rm(join(folder, file), { force: true })

/** Reads a snapshot's parts, by name. Throws `UnusableSnapshot` unless each is as it was written. */
export async function readParts(
  folder: string,
  { parts }: Manifest,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const read = new Map<string, Uint8Array>()
  const waiting = parts.values()
  const reader = async () => {
    for (const { name, file, ...seal } of waiting) {
      read.set(name, await readPart(join(folder, file), seal))
    }
  }
  await Promise.all(Array.from({ length: readers }, reader))
  return read
}

/** Deletes a snapshot that was found unusable, unless another has taken its place. */
export async function discardSnapshot(folder: string, found: Manifest | undefined): Promise<void> {
  const current = await readManifest(folder).catch(() => undefined)
  if (current?.id !== found?.id) return
  await remove(folder, manifestName)
  for (const { file } of found?.parts ?? []) await remove(folder, file)
}
