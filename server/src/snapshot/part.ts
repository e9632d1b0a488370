import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { SnapshotPart } from './saved.ts'
import { UnusableSnapshot } from './unusable.ts'

/** Bytes that are summed and written, or read, at once: a millisecond's work for the event loop. */
const chunk = 4 * 1024 * 1024

/** Bytes after which the disk is waited for, so that no commit waits for all of a snapshot. */
const stretch = 16 * 1024 * 1024

/** What tells whether the bytes of a file are those that were written. */
interface Seal {
  /** Bytes. */
  length: number
  /** CRC-32. */
  checksum: number
}

/** Writes a part to a new file, down to the disk. Throws when `signal` aborts, or the disk fails. */
export async function writePart(
  file: string,
  part: SnapshotPart,
  signal: AbortSignal,
): Promise<Seal> {
  const seal = { length: 0, checksum: 0 }
  const handle = await open(file, 'wx', 0o600)
  let synced = 0
  try {
    for (const bytes of chunksOf(part)) {
      signal.throwIfAborted()
      seal.checksum = crc32(bytes, seal.checksum)
      seal.length += bytes.length
      await writeAll(handle, bytes)
      if (seal.length - synced < stretch) continue
      await handle.datasync()
      synced = seal.length
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  return seal
}

function* chunksOf({ bytes }: SnapshotPart): Generator<Uint8Array> {
  for (const page of bytes instanceof Uint8Array ? [bytes] : bytes) {
    for (let from = 0; from < page.length; from += chunk) yield page.subarray(from, from + chunk)
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array) {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done)
    done += bytesWritten
  }
}

/** Reads a part into memory that threads share. Throws `UnusableSnapshot` if it is not as written. */
export async function readPart(file: string, { length, checksum }: Seal): Promise<Uint8Array> {
  const handle = await open(file).catch((error: unknown) => {
    throw new UnusableSnapshot('a part is missing', { cause: error })
  })
  try {
    const { size } = await handle.stat()
    if (size !== length) throw new UnusableSnapshot('a part has another length')
    const bytes = new Uint8Array(new SharedArrayBuffer(length))
    let sum = 0
    for (let done = 0; done < length; ) {
      const { bytesRead } = await handle.read(bytes, done, Math.min(chunk, length - done), done)
      if (bytesRead === 0) throw new UnusableSnapshot('a part ends too early')
      sum = crc32(bytes.subarray(done, done + bytesRead), sum)
      done += bytesRead
    }
    if (sum !== checksum) throw new UnusableSnapshot('a part is damaged')
    return bytes
  } catch (error) {
    if (error instanceof UnusableSnapshot) throw error
    throw new UnusableSnapshot('a part cannot be read', { cause: error })
  } finally {
    await handle.close()
  }
}
