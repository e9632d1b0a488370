import type { Response } from 'express'
import { pagePolicy } from './assets.ts'

/** Sends a page. It is fetched anew each time, since what is published must be seen at once. */
export function sendPage(res: Response, html: string): void {
  res.setHeader('Content-Security-Policy', pagePolicy)
  // An error has said "no-store" by now, and that stands.
  if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', 'no-cache')
  res.type('html').send(html)
}
