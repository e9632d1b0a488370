import { Readable } from 'node:stream'
import type { Response } from 'express'
import { type AnyRequest, ok } from './handlers.ts'

/** Maximum time without a read by the client, ms, and minimum average rate, bytes per second. */
const slowest = { silence: 30_000, rate: 32 * 1024 } as const

interface SentBytes {
  readonly size: number
  readonly type: string
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Streams bytes, or none for HEAD. The response is cut off if the source fails or the client is too
 * slow, because each stream holds part of a file in memory. The stream is destroyed when the client
 * disconnects.
 */
export function sendBytes(req: AnyRequest, res: Response, { size, type, bytes }: SentBytes) {
  res.setHeader('Content-Type', type)
  res.setHeader('Content-Length', size)
  if (req.method === 'HEAD') return ok(Readable.from([]))
  const timer = setTimeout(() => res.destroy(), slowest.silence + (size / slowest.rate) * 1000)
  res.setTimeout(slowest.silence, () => res.destroy())
  const body = Readable.from(bytes, { objectMode: false })
  body.on('error', (error) => res.destroy(error))
  res.on('close', () => {
    clearTimeout(timer)
    body.destroy()
  })
  return ok(body)
}
