/** A line without its newline; `tooLong` lines come without their bytes. */
export interface ByteLine {
  number: number
  bytes: Buffer
  tooLong: boolean
}

/** Longest line held in memory. A skill's readme has 256 KiB, and JSON escapes may triple that. */
export const maxLineBytes = 4 * 1024 * 1024

/** Cuts a stream of bytes into lines, holding one line in memory at a time. */
export async function* byteLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ByteLine> {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let number = 0
  const take = (tail: Buffer): ByteLine => {
    number += 1
    const tooLong = pendingBytes + tail.length > maxLineBytes
    const bytes = tooLong
      ? Buffer.alloc(0)
      : pending.length > 0
        ? Buffer.concat([...pending, tail])
        : tail
    pending = []
    pendingBytes = 0
    return { number, bytes, tooLong }
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield take(chunk.subarray(start, end))
      start = end + 1
    }
    const rest = chunk.subarray(start)
    pendingBytes += rest.length
    if (pendingBytes > maxLineBytes) pending = []
    else if (rest.length > 0) pending.push(rest)
  }
  if (pendingBytes > 0) yield take(Buffer.alloc(0))
}
