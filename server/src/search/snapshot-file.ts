import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { endianness } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { apiVersion } from '@skillpass/contract'
import { z } from 'zod'
import { makeFolder, toDisk } from '../db/files.ts'
import { errorCode } from '../errors/error-code.ts'

/** Layout version. Raise it when the content of parts or the analysis of text changes. */
const layout = 22

/** Snapshot format of this process. */
const currentFormat = `${apiVersion}-${layout}-${endianness()}`

/** Bytes per read, or per checksum and write: about 1 ms. */
const chunkSize = 4 * 1024 * 1024

/** Bytes between disk syncs, so that database commits do not wait for a whole snapshot. */
const syncInterval = 16 * 1024 * 1024

/** Size of the trailer: length of the table and its CRC-32, 32 bits each. */
const TAIL = 8

/** Age from which a draft is abandoned, ms. Younger drafts may belong to a running process. */
const draftLifetime = 3_600_000

export interface SnapshotPart {
  readonly name: string
  /** One view, or pieces in order that are created while they are written. */
  readonly bytes: Uint8Array | Iterable<Uint8Array>
}

/** State to store in a snapshot. `meta` is small and stored as JSON. */
export interface Saved {
  readonly meta: unknown
  readonly parts: readonly SnapshotPart[]
}

export interface Loaded {
  readonly meta: unknown
  readonly parts: ReadonlyMap<string, Uint8Array>
}

/** A snapshot that cannot be used. The message completes "because …". */
export class UnusableSnapshot extends Error {
  override name = 'UnusableSnapshot'
}

const Count = z.int().nonnegative()

const Table = z.strictObject({
  format: z.string(),
  meta: z.unknown(),
  /** In the order of the file. */
  parts: z.array(z.strictObject({ name: z.string(), length: Count, checksum: Count })),
})

type Table = z.output<typeof Table>

/**
 * Writes a snapshot and atomically replaces the existing one. Returns its size in bytes. If it
 * fails or `signal` aborts, the existing snapshot stays. `id` must be unique.
 */
export async function writeSnapshot(
  file: string,
  { id, meta, parts }: Saved & { readonly id: string },
  signal: AbortSignal,
): Promise<number> {
  const folder = dirname(file)
  await makeFolder(folder)
  const draft = `${file}-${id}.draft`
  const handle = await open(draft, 'wx', 0o600)
  try {
    const writer = createWriter(handle, signal)
    const table: Table = { format: currentFormat, meta, parts: [] }
    for (const { name, bytes } of parts) {
      const entry = { name, length: 0, checksum: 0 }
      for (const piece of bytes instanceof Uint8Array ? [bytes] : bytes) {
        entry.length += piece.length
        entry.checksum = await writer.write(piece, entry.checksum)
      }
      table.parts.push(entry)
    }
    const json = Buffer.from(JSON.stringify(table))
    const tail = Buffer.alloc(TAIL)
    tail.writeUInt32LE(json.length)
    tail.writeUInt32LE(crc32(json), 4)
    await writer.write(Buffer.concat([json, tail]))
    await handle.sync()
    await rename(draft, file)
    return writer.written()
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await handle.close()
    await toDisk(folder)
    await removeOldDrafts(file)
  }
}

function createWriter(handle: FileHandle, signal: AbortSignal) {
  let [written, synced] = [0, 0]
  return {
    written: () => written,
    /** Writes bytes. Returns the CRC-32 that continues `sum`. */
    async write(bytes: Uint8Array, sum = 0): Promise<number> {
      let checksum = sum
      for (let from = 0; from < bytes.length; from += chunkSize) {
        signal.throwIfAborted()
        const part = bytes.subarray(from, from + chunkSize)
        checksum = crc32(part, checksum)
        await handle.writeFile(part)
        written += part.length
        if (written - synced < syncInterval) continue
        await handle.datasync()
        synced = written
      }
      return checksum
    },
  }
}

/** Removes drafts of dead writers. */
async function removeOldDrafts(file: string): Promise<void> {
  const folder = dirname(file)
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(file)}-`) || !name.endsWith('.draft')) continue
    const found = await stat(join(folder, name)).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > draftLifetime) await rm(join(folder, name))
  }
}

/**
 * Reads a snapshot. Returns undefined if it is missing or has another format. Throws
 * `UnusableSnapshot` if it is damaged or unreadable.
 */
export async function readSnapshot(file: string): Promise<Loaded | undefined> {
  const handle = await open(file).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new UnusableSnapshot('it cannot be opened', { cause: error })
  })
  if (!handle) return undefined
  try {
    const table = await readTable(handle)
    if (!table) return undefined
    const { meta, parts: entries } = table
    const parts = new Map<string, Uint8Array>()
    let at = 0
    for (const { name, length, checksum } of entries) {
      parts.set(name, await readPart(handle, { at, length, checksum }))
      at += length
    }
    return { meta, parts }
  } catch (error) {
    if (error instanceof UnusableSnapshot) throw error
    throw new UnusableSnapshot('it cannot be read', { cause: error })
  } finally {
    await handle.close()
  }
}

async function readTable(handle: FileHandle): Promise<Table | undefined> {
  const { size } = await handle.stat()
  const tail = Buffer.alloc(TAIL)
  await handle.read(tail, 0, TAIL, Math.max(0, size - TAIL))
  const length = tail.readUInt32LE()
  if (length > size - TAIL) throw new UnusableSnapshot('it is damaged')
  const place = { at: size - TAIL - length, length, checksum: tail.readUInt32LE(4) }
  const json: unknown = JSON.parse(Buffer.from(await readPart(handle, place)).toString())
  const { format } = z.looseObject({ format: z.string() }).parse(json)
  return format === currentFormat ? Table.parse(json) : undefined
}

/** Reads bytes into a SharedArrayBuffer and checks their checksum. */
async function readPart(
  handle: FileHandle,
  { at, length, checksum }: { at: number; length: number; checksum: number },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(new SharedArrayBuffer(length))
  let sum = 0
  for (let done = 0; done < length; ) {
    const { bytesRead } = await handle.read(
      bytes,
      done,
      Math.min(chunkSize, length - done),
      at + done,
    )
    if (bytesRead === 0) break
    sum = crc32(bytes.subarray(done, done + bytesRead), sum)
    done += bytesRead
  }
  if (sum !== checksum) throw new UnusableSnapshot('it is damaged')
  return bytes
}
