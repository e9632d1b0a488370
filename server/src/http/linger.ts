import type { IncomingMessage, ServerResponse } from 'node:http'

const most = { bytes: 4 * 1024 * 1024, ms: 1000 }

/**
 * Takes in what is left of a body before it is answered, where the connection closes with the answer:
 * a client that sends before it listens would see a broken connection and no answer (RFC 9112 §9.6).
 */
export function lingerForBody(req: IncomingMessage, res: ServerResponse): Promise<void> {
  if (req.complete || res.shouldKeepAlive) return Promise.resolve()
  return new Promise((resolve) => {
    let received = 0
    const onData = (chunk: Buffer) => {
      received += chunk.length
      if (received > most.bytes) done()
    }
    const timer = setTimeout(done, most.ms)
    function done() {
      clearTimeout(timer)
      req.off('data', onData).off('end', done).off('close', done)
      resolve()
    }
    req.on('data', onData).on('end', done).on('close', done)
  })
}
