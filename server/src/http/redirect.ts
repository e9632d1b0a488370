import type { Request, Response } from 'express'
import { rawQuery } from './body.ts'

/**
 * Sets the headers of a permanent redirect (RFC 9110 §15.4.9), with the query of the request.
 * `Location` is only a path, so that clients stay on the host name they used. Caches must
 * revalidate, because a skill can move back and a cached redirect would then loop.
 */
export function setMoved(res: Response, address: string, req: Pick<Request, 'originalUrl'>): void {
  const { pathname } = new URL(address)
  const query = rawQuery(req)
  res.setHeader('Location', query === '' ? pathname : `${pathname}?${query}`)
  res.setHeader('Cache-Control', 'no-cache')
}

export function sendMoved(res: Response, address: string, req: Pick<Request, 'originalUrl'>): void {
  setMoved(res, address, req)
  res.status(308).end()
}
