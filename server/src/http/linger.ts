import type { IncomingMessage, ServerResponse } from 'node:http'

/** Limits of reading: bytes, and time in ms. */
const limit = { bytes: 4 * 1024 * 1024, ms: 1000 }

/**
 * Reads the rest of the body before the server responds and closes the connection. Otherwise a
 * client that is still sending would see a reset instead of the response (RFC 9112 §9.6).
 */
export function lingerForBody(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.complete || res.shouldKeepAlive) return Promise.resolve()
  return new Promise((resolve) => {
    let received = 0
    const onData = (chunk: Buffer) => {
      received += chunk.length
      if (received > limit.bytes) done()
    }
    const timer = setTimeout(done, limit.ms)
    function done() {
      clearTimeout(timer)
      req.off('data', onData).off('end', done).off('close', done)
      resolve()
    }
    req.on('data', onData).on('end', done).on('close', done)
  })
}
