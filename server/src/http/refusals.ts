import { bounds } from '@skillpass/contract'
import type { Request, RequestHandler, Response } from 'express'
import { Failure } from '../errors/failure.ts'
import { allowAnyOrigin, corsHeaders } from './cors.ts'
import { type ErrorFormat, lingerForBody } from './errors.ts'
import type { LoadShedder } from './load-shedder.ts'

/**
 * Refuses requests with 503 before any other middleware sees them. The response of each kind is
 * prepared once, because an overloaded server has no time to format it. `headers` are sent with
 * all. `isOpen` selects paths that allow every origin.
 */
export function refuseExcess(
  { refuse }: LoadShedder,
  { format, kindOf }: ErrorFormat,
  { headers, isOpen }: { headers: ReadonlyMap<string, string>; isOpen: (path: string) => boolean },
): RequestHandler {
  const prepared = new Map<string, Promise<{ headers: string[]; body: string }>>()

  async function prepare(req: Request, retryAfter: number) {
    const message = 'Too many requests are in progress. Try again after Retry-After seconds.'
    const failure = new Failure(503, { message, retryAfter, isShed: true, neverBegan: true })
    const response = await format(failure, req, '')
    const all = new Map([
      ...headers,
      // A refusal contains no private data, and scripts need to read Retry-After.
      ...(isOpen(req.path) ? corsHeaders('*') : []),
      ...response.headers,
      ['Content-Length', String(Buffer.byteLength(response.body))],
    ])
    return { headers: [...all].flat(), body: response.body }
  }

  function find(req: Request, retryAfter: number) {
    const kind = `${kindOf(req)} ${isOpen(req.path)} ${retryAfter}`
    const known = prepared.get(kind)
    if (known) return known
    const made = prepare(req, retryAfter)
    prepared.set(kind, made)
    return made
  }

  async function send(req: Request, res: Response, retryAfter: number): Promise<void> {
    const response = await find(req, retryAfter)
    // Close the connection instead of reading a long body.
    if (!(Number(req.headers['content-length'] ?? 0) <= bounds.requestBytes)) {
      res.shouldKeepAlive = false
      await lingerForBody(req, res)
    }
    res.writeHead(503, response.headers)
    res.end(response.body)
  }

  return (req, res, next) => {
    const retryAfter = refuse(req)
    if (retryAfter === undefined) return next()
    const sendThis = () => {
      send(req, res, retryAfter).catch(next)
    }
    // Preflight requests of scripts must succeed, or the script cannot read the refusal.
    if (req.method === 'OPTIONS' && isOpen(req.path)) allowAnyOrigin(req, res, sendThis)
    else sendThis()
  }
}
