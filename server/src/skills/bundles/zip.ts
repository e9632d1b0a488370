import type { FileEntry } from './entry.ts'

/** 1980-01-01 as an MS-DOS date, the earliest possible. */
const dosDate = 0x0021

const utf8Flag = 0x0800

/** Zip 2.0, made on Unix, so that readers apply the modes. */
const version = { needed: 20, madeBy: (3 << 8) | 20 } as const

/** Type bits of a regular file in a Unix mode. */
const regularFile = 0o100000

/** Streams a zip archive without compression, for the same reason as `tarGz`. */
export async function* zip(entries: readonly FileEntry[]): AsyncGenerator<Uint8Array> {
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
