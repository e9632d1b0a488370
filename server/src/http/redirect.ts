import type { Request, Response } from 'express'
import { rawQuery } from './body.ts'

/**
 * The headers of a permanent redirection (RFC 9110 §15.4.9) to an address of this service, with the
 * query that came. Its path alone, so that whoever reached the service by another name stays there.
 * What has moved may move back, and who kept the redirection would then go round in circles.
 */
export function setMoved(res: Response, address: string, req: Pick<Request, 'originalUrl'>): void {
  const { pathname } = new URL(address)
  const query = rawQuery(req)
  res.setHeader('Location', query === '' ? pathname : `${pathname}?${query}`)
  res.setHeader('Cache-Control', 'no-cache')
}

/** Ends an answer with a permanent redirection, as `setMoved` has it. */
export function sendMoved(res: Response, address: string, req: Pick<Request, 'originalUrl'>): void {
  setMoved(res, address, req)
  res.status(308).end()
}
