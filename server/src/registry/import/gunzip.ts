import { createGunzip } from 'node:zlib'

/**
 * Unpacks gzip bytes. What stands before a fault (a truncated file, damaged bytes) is given first,
 * then the error is thrown; piping streams would throw it together with what they still buffer.
 */
export async function* gunzipChunks(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  let unpacked: Buffer[] = []
  let fault: Error | null = null
  let wake = () => {}
  const take = () => {
    const taken = unpacked
    unpacked = []
    return taken
  }
  gunzip.on('data', (chunk: Buffer) => unpacked.push(chunk))
  gunzip.on('error', (error) => {
    fault = error
    wake()
  })
  gunzip.on('end', () => wake())
  const step = (act: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      wake = resolve
      act(resolve)
    })
  try {
    let running: Promise<void> | null = null
    for await (const chunk of packed) {
      if (running) await running
      if (fault || gunzip.readableEnded) break
      const ready = take()
      // The next chunk is unpacked in zlib's thread while the caller works on the last one.
      running = step((done) => gunzip.write(chunk, done))
      yield* ready
    }
    if (running) await running
    if (!fault && !gunzip.readableEnded) await step(() => gunzip.end())
    yield* take()
    if (fault) throw fault
  } finally {
    gunzip.destroy()
  }
}
