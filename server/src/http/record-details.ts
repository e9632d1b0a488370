import type { Request, Response } from 'express'
import { parseJson } from '../text/parse-json.ts'
import { redact, withoutSecrets } from './redact.ts'
import { findRoute } from './request.ts'
import { keyOf } from './route-keys.ts'

/** Records what only an observer sees of a request. Returns a function that reads the record. */
export function recordDetails(req: Request, res: Response) {
  const sent: Uint8Array[] = []
  let answer = ''
  const [{ push }, { send }] = [req, res]
  req.push = (chunk, encoding) => {
    if (chunk) sent.push(chunk)
    return push.call(req, chunk, encoding)
  }
  res.send = (body) => {
    answer = String(body)
    return send.call(res, body)
  }
  return () => ({
    path: withoutSecrets(req.originalUrl),
    route: keyOf(findRoute(req)),
    status: res.headersSent ? res.statusCode : null,
    body: read(Buffer.concat(sent).toString(), req.headers['content-type']),
    answer: read(answer, res.getHeader('Content-Type')),
  })
}

/** Reads JSON or a form without its secrets. Returns null for other types. */
function read(text: string, type: unknown): unknown {
  if (/\bjson\b/.test(String(type))) return redact(parseJson(text) ?? text)
  const isForm = /\bx-www-form-urlencoded\b/.test(String(type))
  return isForm ? redact(Object.fromEntries(new URLSearchParams(text))) : null
}
