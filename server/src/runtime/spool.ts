import { createHash, randomUUID } from 'node:crypto'
import { readSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { Failure } from '../errors/failure.ts'

/** A complete body on disk. */
export interface Spooled {
  /** Bytes. */
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly sha256: string
  readonly crc32: number
  read(start: number, length: number): Uint8Array<ArrayBuffer>
}

/**
 * Writes a body of at most `limit` bytes to disk and calls `use` with it, so that a slow sender
 * occupies neither memory nor a transaction. Throws PAYLOAD_TOO_LARGE as soon as the body exceeds
 * the limit.
 */
export async function spool<T>(
  source: AsyncIterable<Uint8Array>,
  limit: number,
  use: (spooled: Spooled) => Promise<T>,
): Promise<T> {
  const file = await openUnlinked()
  try {
    const hash = createHash('sha256')
    let size = 0
    let checksum = 0
    for await (const chunk of source) {
      if (size + chunk.length > limit) throw tooLong(limit)
      hash.update(chunk)
      checksum = crc32(chunk, checksum)
      await file.write(chunk, 0, chunk.length, size)
      size += chunk.length
    }
    const read = (start: number, length: number) => {
      const buffer = new Uint8Array(Math.min(length, size - start))
      readSync(file.fd, buffer, 0, buffer.length, start)
      return buffer
    }
    return await use({ size, sha256: hash.digest('hex'), crc32: checksum, read })
  } finally {
    await file.close()
  }
}

const tooLong = (limit: number) =>
  new Failure('PAYLOAD_TOO_LARGE', {
    message: `The body is larger than ${limit / 1024 ** 2} MiB. Send a smaller one.`,
  })

/** Opens an unlinked file, which disappears when it is closed or the process exits. */
async function openUnlinked(): Promise<FileHandle> {
  const path = join(tmpdir(), `skillpass-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}
