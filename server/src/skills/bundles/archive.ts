import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import type { FileEntry } from './entries.ts'

export interface ArchiveDigest {
  readonly digest: string
  /** Bytes. */
  readonly size: number
}

export const archives = { tarGz, zip } as const

export type ArchiveKind = keyof typeof archives

export const archiveNames = { tarGz: 'archive.tar.gz', zip: 'archive.zip' } as const

/** Chunks of an archive, of up to 64 KiB, that are hashed per turn of the event loop. */
const partsPerTurn = 64

export async function digestArchive(
  kind: ArchiveKind,
  entries: readonly FileEntry[],
): Promise<ArchiveDigest> {
  const hash = createHash('sha256')
  let [size, parts] = [0, 0]
  for await (const chunk of archives[kind](entries)) {
    hash.update(chunk)
    size += chunk.length
    // SQLite reads are synchronous, so hundreds of small files would block the event loop.
    if (++parts % partsPerTurn === 0) await nextTurn()
  }
  return { digest: `sha256:${hash.digest('hex')}`, size }
}

const blockBytes = 512

/**
 * Modification time of every file in an archive, in seconds since 1970. It is 1980-01-01, the
 * earliest date in zip. A constant time makes archives of the same files identical.
 */
const archiveTime = 315_532_800

/** Streams a tar archive (POSIX.1-2001, pax). */
async function* tar(entries: readonly FileEntry[]): AsyncGenerator<Uint8Array> {
  for (const { path, size, executable, open } of entries) {
    const bytes = Buffer.from(path)
    if (bytes.length > 100 || bytes.length !== path.length) {
      const record = paxRecord('path', path)
      yield header('PaxHeaders/path', record.length, 0o644, 'x')
      yield padded(record)
    }
    yield header(path, size, executable ? 0o755 : 0o644, '0')
    yield* open()
    yield new Uint8Array(paddingOf(size))
  }
  yield new Uint8Array(2 * blockBytes)
}

const paddingOf = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(paddingOf(bytes.length))])

/** Formats `LENGTH KEY=VALUE\n`. The length includes its own digits. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + 1
  while (String(length).length + rest !== length) length = String(length).length + rest
  return Buffer.from(`${length} ${key}=${value}\n`)
}

/** Returns a header of type `0` for a file, `x` for extended headers of the next file. */
function header(name: string, size: number, mode: number, type: '0' | 'x'): Buffer {
  const block = Buffer.alloc(blockBytes)
  const octal = (value: number, at: number, length: number) =>
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1')
  Buffer.from(name).copy(block, 0, 0, 100)
  octal(mode, 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(archiveTime, 136, 12)
  // The checksum is computed with its own field set to spaces.
  block.fill(' ', 148, 156)
  block.write(type, 156, 'latin1')
  block.write('ustar\u000000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

/** Largest stored block in gzip, in bytes. */
const storedBytes = 0xffff

/**
 * Streams a gzip file (RFC 1952) that contains a tar archive in stored blocks. Compressed output
 * would differ between versions of zlib and between processors.
 */
async function* tarGz(entries: readonly FileEntry[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
  let checksum = 0
  let size = 0
  for await (const chunk of tar(entries)) {
    checksum = crc32(chunk, checksum)
    size += chunk.length
    for (let start = 0; start < chunk.length; start += storedBytes) {
      const part = chunk.subarray(start, start + storedBytes)
      yield storedBlock(part.length, false)
      yield part
    }
  }
  yield storedBlock(0, true)
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(size % 2 ** 32, 4)
  yield trailer
}

/** Returns the header of a stored block (RFC 1951 §3.2.4). */
function storedBlock(length: number, isLast: boolean): Buffer {
  const block = Buffer.alloc(5)
  block.writeUInt8(isLast ? 1 : 0, 0)
  block.writeUInt16LE(length, 1)
  block.writeUInt16LE(length ^ 0xffff, 3)
  return block
}

/** 1980-01-01 as an MS-DOS date, the earliest possible. */
const dosDate = 0x0021

const utf8Flag = 0x0800

/** Zip 2.0, made on Unix, so that readers apply the modes. */
const version = { needed: 20, madeBy: (3 << 8) | 20 } as const

/** Type bits of a regular file in a Unix mode. */
const regularFile = 0o100000

/** Streams a zip archive without compression, for the same reason as `tarGz`. */
async function* zip(entries: readonly FileEntry[]): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const local = localHeader(entry)
    yield local
    yield* entry.open()
    directory.push(directoryEntry(entry, offset))
    offset += local.length + entry.size
  }
  const central = Buffer.concat(directory)
  yield central
  yield endOfDirectory(entries.length, central.length, offset)
}

/** Writes the fields that both headers of a file share. */
function writeCommon(header: Buffer, at: number, { path, size, crc32 }: FileEntry): void {
  header.writeUInt16LE(version.needed, at)
  header.writeUInt16LE(utf8Flag, at + 2)
  header.writeUInt16LE(dosDate, at + 8)
  header.writeUInt32LE(crc32, at + 10)
  header.writeUInt32LE(size, at + 14)
  header.writeUInt32LE(size, at + 18)
  header.writeUInt16LE(Buffer.byteLength(path), at + 22)
}

function localHeader(entry: FileEntry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeCommon(header, 4, entry)
  return Buffer.concat([header, Buffer.from(entry.path)])
}

function directoryEntry(entry: FileEntry, offset: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version.madeBy, 4)
  writeCommon(header, 6, entry)
  const mode = regularFile | (entry.executable ? 0o755 : 0o644)
  header.writeUInt32LE(mode * 2 ** 16, 38)
  header.writeUInt32LE(offset, 42)
  return Buffer.concat([header, Buffer.from(entry.path)])
}

function endOfDirectory(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
