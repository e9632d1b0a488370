import { type AppRoute, validateIfSchema } from '@ts-rest/core'
import type { Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { routeOf } from './request.ts'

/** Memory for all keys and bodies, and the overhead of each entry, bytes. */
const capacity = 32 * 1024 * 1024
const overhead = 500

/** Maximum age, ms. Changes that `stateOf` ignores, such as signatures, show after this time. */
const maxAgeMs = 2000

/**
 * Caches the JSON bodies of GET requests by their parsed parameters until `stateOf` changes. Only
 * for routes whose response is the same for every caller for whom `stateOf` returns a state. A hit skips the handler and serialization
 * (server/docs/search.md has the gain).
 */
export function cacheResponses(
  routes: readonly AppRoute[],
  stateOf: (req: Request) => string | undefined,
): RequestHandler {
  const cacheable = new Set<AppRoute>(routes)
  const cache = new LRUCache<string, { state: string; body: Buffer }>({
    maxSize: capacity,
    sizeCalculation: ({ body }, key) => body.length + 2 * key.length + overhead,
    ttl: maxAgeMs,
  })
  return (req, res, next) => {
    if (req.method !== 'GET' || !cacheable.has(routeOf(req))) return next()
    const key = keyOf(req)
    if (key === undefined) return next()
    const state = stateOf(req)
    if (state === undefined) return next()
    const cached = cache.get(key)
    if (cached?.state === state) return void sendJson(res, cached.body)
    const { json } = res
    res.json = (value) => {
      if (res.statusCode !== 200) return json.call(res, value)
      const body = Buffer.from(JSON.stringify(value))
      cache.set(key, { state, body })
      return sendJson(res, body)
    }
    next()
  }
}

/**
 * Returns the route of a request with its parsed parameters, which leave out unknown names. Returns
 * undefined for an invalid request, which the route refuses.
 */
function keyOf(req: Request): string | undefined {
  const { path, pathParams, query } = routeOf(req)
  const parsed = [validateIfSchema(req.params, pathParams), validateIfSchema(req.query, query)]
  if (parsed.some(({ error }) => error)) return undefined
  return JSON.stringify([
    path,
    ...parsed.map(({ value, schemasUsed: [schema] }) => schema && value),
  ])
}

function sendJson(res: Response, body: Buffer): Response {
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  res.setHeader('Content-Length', body.length)
  return res.end(body)
}
