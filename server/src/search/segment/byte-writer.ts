/** Bytes that grow as they are written. */
export interface ByteWriter {
  /** Bytes written; set by callers that write into the array of `reserve`. */
  length: number
  /** The array to write into from `length` on, with room for so many. */
  reserve(further: number): Uint8Array
  write(byte: number): void
  /** Writes seven bits a byte, the lowest first; the high bit says that more follow. */
  varint(value: number): void
  append(other: ByteWriter): void
  /** What was written, until the next write. */
  view(): Uint8Array
}

export function createByteWriter(capacity: number): ByteWriter {
  let bytes = new Uint8Array(capacity)
  let length = 0
  return {
    get length() {
      return length
    },
    set length(written) {
      length = written
    },
    reserve,
    write,
    varint,
    append,
    view: () => bytes.subarray(0, length),
  }

  function write(byte: number): void {
    if (length === bytes.length) reserve(1)
    bytes[length++] = byte
  }

  function varint(value: number): void {
    let rest = value
    for (; rest > 127; rest >>>= 7) write((rest & 127) | 128)
    write(rest)
  }

  function append(other: ByteWriter): void {
    reserve(other.length)
    bytes.set(other.view(), length)
    length += other.length
  }

  function reserve(further: number): Uint8Array {
    if (length + further <= bytes.length) return bytes
    const larger = new Uint8Array(Math.max(2 * bytes.length, length + further))
    larger.set(bytes)
    bytes = larger
    return bytes
  }
}
