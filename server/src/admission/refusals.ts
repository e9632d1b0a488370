import type { IncomingMessage, ServerResponse } from 'node:http'
import { bounds, contract, oauthContract } from '@skillpass/contract'
import { Failure } from '../errors/failure.ts'
import { exposedHeaders } from '../http/cors.ts'
import type { Dialect } from '../http/dialect.ts'
import { listRoutes } from '../http/endpoints.ts'
import { neverBegan } from '../http/errors.ts'
import { lingerForBody } from '../http/linger.ts'
import { oauthDialect } from '../oauth/routes/dialect.ts'
import { platformDialect } from '../platform/routes/dialect.ts'
import { registryDialect } from '../registry/routes/dialect.ts'
import { type Asking, oauthPaths, pathOf, rootOf, wantsPage } from './load-class.ts'

/** An answer that is made once and sent many times. */
interface Prepared {
  readonly headers: string[]
  readonly body: Buffer
}

/** Seconds to wait, drawn for each refusal, so that callers do not all come back at once. */
const waits = [1, 2, 3]

const platformRoots = new Set(listRoutes(contract.platform).map(({ path }) => rootOf(path)))

const security = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
].flat()

const policy = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"]

/**
 * Open to scripts of any site where the API is: nothing in it is of anybody, and they are to see when to
 * come back. Whether an app has registered a site cannot be asked before the database may be.
 */
const cors = [
  ...['Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', exposedHeaders],
  ...['Cross-Origin-Resource-Policy', 'cross-origin'],
]

const data = (dialect: Dialect, isOpen = true) =>
  waits.map((retryAfter) => dataAfter(dialect, retryAfter, isOpen))

function dataAfter(dialect: Dialect, retryAfter: number, isOpen: boolean): Prepared {
  const body = Buffer.from(JSON.stringify(dialect(new Failure(503, { retryAfter })).body))
  return prepare('application/json; charset=utf-8', body, retryAfter, isOpen ? cors : [])
}

function pageAfter(retryAfter: number): Prepared {
  const seconds = retryAfter === 1 ? '1 second' : `${retryAfter} seconds`
  const body = Buffer.from(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>Back in a moment (503) · Skillpass</title></head><body><main><h1>Back in a moment</h1><p>Skillpass has more to do than it can right now. Try again in ${seconds}.</p></main></body></html>`,
  )
  return prepare('text/html; charset=utf-8', body, retryAfter, [])
}

function prepare(type: string, body: Buffer, retryAfter: number, more: string[]): Prepared {
  const headers = [
    ...['Content-Type', type, 'Content-Length', String(body.length)],
    ...['Retry-After', String(retryAfter), ...neverBegan, 'Vary', 'Accept-Encoding'],
    ...[...security, ...policy, ...more],
  ]
  return { headers, body }
}

const prepared = {
  registry: data(registryDialect),
  oauth: data(oauthDialect, false),
  metadata: data(oauthDialect),
  platform: data(platformDialect),
  page: waits.map(pageAfter),
}

function wordsOf(req: Asking): readonly Prepared[] {
  const path = pathOf(req)
  if (wantsPage(req, path)) return prepared.page
  if (path === oauthContract.metadata.path) return prepared.metadata
  if (oauthPaths.has(path)) return prepared.oauth
  return platformRoots.has(rootOf(path)) ? prepared.platform : prepared.registry
}

/** Refuses a request with 503 in the words of its service; the connection stays where its body is short. */
export function refuse(req: IncomingMessage, res: ServerResponse, random: () => number): void {
  const answers = wordsOf(req)
  const { headers, body } = answers[Math.floor(random() * answers.length)] as Prepared
  const send = () => res.writeHead(503, headers).end(body)
  // What is left of a short body is read away once the answer is sent.
  if (isShort(req)) return void send()
  res.shouldKeepAlive = false
  void lingerForBody(req, res).then(send)
}

/** Whether a request has no body, or one that is soon read. */
function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false
  const length = headers['content-length']
  return length === undefined || Number(length) <= bounds.requestBytes
}
