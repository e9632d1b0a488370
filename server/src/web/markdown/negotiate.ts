import { reservedSegments } from '@skillpass/contract'
import type { RequestHandler } from 'express'

/** Pages of the service that are markdown too, at their path with `.md` behind it. */
const own = /^\/(?:search|resolve|agents\/[^/]+|docs\/(?:errors|scopes|guide|lint(?:\/[^/]+)?))?$/

/** Whether a path is one of an owner or a repository; a skill's address answers for itself. */
function isSource(path: string): boolean {
  const [, owner = '', , more] = path.split('/')
  return more === undefined && !reservedSegments.has(owner.toLowerCase())
}

/**
 * Leads who prefers markdown from a page to its markdown. Only those who name it: programs that take
 * anything get the page, as from any site.
 */
export const preferMarkdown: RequestHandler = (req, res, next) => {
  if (req.method !== 'GET' && req.method !== 'HEAD') return next()
  if (req.path.endsWith('.md') || !(own.test(req.path) || isSource(req.path))) return next()
  res.vary('Accept')
  const named = req.headers.accept?.includes('text/markdown') === true
  if (named && req.accepts(['text/html', 'text/markdown']) === 'text/markdown') {
    const query = req.url.slice(req.path.length)
    req.url = `${req.path === '/' ? '/index' : req.path.replace(/\/$/, '')}.md${query}`
  }
  next()
}
