import { Readable } from 'node:stream'
import type { Response } from 'express'
import { Failure } from '../errors/failure.ts'
import { rawQuery } from './body.ts'
import type { AnyRequest } from './handlers.ts'

/** Makes every `Cache-Control` that a response gets from now on one for its caller alone. */
export function keepPrivate(res: Response): void {
  const { setHeader } = res
  res.setHeader = (name, value) => {
    const isCaching = name.toLowerCase() === 'cache-control' && !`${value}`.includes('no-store')
    return setHeader.call(res, name, isCaching ? 'private, no-cache' : value)
  }
  res.setHeader('Cache-Control', 'private, no-cache')
}

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

/**
 * Whether `If-None-Match` matches the tag (RFC 9110 §13.1.2). Express's `req.fresh` is false for
 * `Cache-Control: no-cache`, which `fetch` adds to each request with `If-None-Match`.
 */
export const matchesETag = (header = '', tag: string): boolean =>
  header.split(',').some((part) => ['*', tag, `W/${tag}`].includes(part.trim()))

/**
 * Sets the headers of a permanent redirect (RFC 9110 §15.4.9), with the query of the request.
 * `Location` is only a path, so that clients stay on the host name they used. Caches must
 * revalidate, because a skill can move back and a cached redirect would then loop.
 */
export function setMoved(res: Response, address: string, req: AnyRequest): void {
  const { pathname } = new URL(address)
  const query = rawQuery(req)
  res.setHeader('Location', query === '' ? pathname : `${pathname}?${query}`)
  res.setHeader('Cache-Control', 'no-cache')
}

export function sendMoved(res: Response, address: string, req: AnyRequest): void {
  setMoved(res, address, req)
  res.status(308).end()
}

/** Sandboxes user content, so that it can run nothing if a browser opens it as a document. */
export const sandbox = (res: Response) =>
  res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")
