import { Readable } from 'node:stream'
import type { Response } from 'express'
import { Failure } from '../errors/failure.ts'
import type { AnyRequest } from './handlers.ts'

interface SentBytes {
  readonly size: number
  readonly type: string
  open(range: { start: number; end: number }): AsyncIterable<Uint8Array>
}

/** Sends all bytes, or none for HEAD. */
export function sendAll(req: AnyRequest, res: Response, { size, type, open }: SentBytes) {
  res.setHeader('Content-Type', type)
  res.setHeader('Content-Length', size)
  return { status: 200 as const, body: bodyOf(req, res, open({ start: 0, end: size })) }
}

/**
 * Sends the bytes that `Range` requests (RFC 9110 §14). Sends all bytes for several ranges, or if
 * `If-Range` does not match `tag`. Throws RANGE_NOT_SATISFIABLE.
 */
export function sendRange(req: AnyRequest, res: Response, sent: SentBytes & { tag: string }) {
  const { size, type, tag, open } = sent
  res.setHeader('Accept-Ranges', 'bytes')
  const condition = req.headers['if-range']
  const ranges = condition === undefined || condition === tag ? req.range(size) : undefined
  if (ranges === -1) {
    res.setHeader('Content-Range', `bytes */${size}`)
    for (const ofFile of ['ETag', 'Content-Disposition']) res.removeHeader(ofFile)
    throw new Failure('RANGE_NOT_SATISFIABLE')
  }
  const [range, ...more] = Array.isArray(ranges) && ranges.type === 'bytes' ? ranges : []
  if (!range || more.length > 0) return sendAll(req, res, sent)
  const { start, end: last } = range
  res.setHeader('Content-Type', type)
  res.setHeader('Content-Length', last + 1 - start)
  res.setHeader('Content-Range', `bytes ${start}-${last}/${size}`)
  return { status: 206 as const, body: bodyOf(req, res, open({ start, end: last + 1 })) }
}

/** Creates the body stream. It is cut off if the source fails, and ends when the client leaves. */
function bodyOf(req: AnyRequest, res: Response, bytes: AsyncIterable<Uint8Array>): Readable {
  if (req.method === 'HEAD') return Readable.from([])
  const body = Readable.from(bytes, { objectMode: false })
  body.on('error', (error) => res.destroy(error))
  res.on('close', () => body.destroy())
  return body
}
