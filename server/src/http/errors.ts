import type { Duplex } from 'node:stream'
import { RequestValidationError } from '@ts-rest/express'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { DatabaseUnavailable, SchemaFault } from '../db/errors.ts'
import { Failure } from '../errors/failure.ts'
import { type Issue, issuePath, type StandardIssue } from '../errors/issues.ts'
import { isOutage } from '../errors/outage.ts'
import type { Context } from '../runtime/context.ts'
import { parseJson } from '../text/parse-json.ts'
import { noteFault } from './call-log.ts'
import type { Dialect } from './dialects.ts'
import { findRoute } from './request.ts'
import { requestIdOf } from './request-log.ts'
import type { Service } from './service.ts'

const awayMessage = 'The database does not answer. Try again after Retry-After seconds.'

/** `Retry-After` when the database is unavailable, seconds. */
const retryAfterFault = 2

export interface ErrorPages {
  isPage(path: string): boolean
  /** Renders a failure. Also returns the headers that its page needs. */
  render(
    failure: Failure,
    req: Request,
    requestId: string,
  ): Promise<{ headers: Record<string, string>; html: string }>
}

interface ErrorFormats {
  readonly services: readonly Service[]
  /** For paths that no service owns. */
  readonly fallback: Dialect
  readonly pages: ErrorPages
}

/** An error as it is sent. */
interface ErrorResponse {
  readonly status: number
  readonly headers: Map<string, string>
  readonly body: string
}

/** Formats failures as their service or page shows them. */
export function createErrorFormat({ services, fallback, pages }: ErrorFormats) {
  const serviceOf = ({ path }: Request) => services.find(({ owns }) => owns(path))
  /** Whether to send an HTML page. API paths return JSON whatever the client accepts. */
  function wantsPage(req: Request, service: Service | undefined): boolean {
    if (pages.isPage(req.path)) return true
    if (service?.isApi(req.path)) return false
    return req.accepts(['json', 'html']) === 'html' && !req.query.format
  }
  return {
    async format(failure: Failure, req: Request, requestId: string): Promise<ErrorResponse> {
      const headers = new Map([['Cache-Control', 'no-store']])
      if (failure.retryAfter !== undefined) headers.set('Retry-After', String(failure.retryAfter))
      // Clients may then retry even a POST.
      if (failure.neverBegan) headers.set('Skillpass-Begun', 'no')
      const service = serviceOf(req)
      if (wantsPage(req, service)) {
        const page = await pages.render(failure, req, requestId)
        for (const [name, value] of Object.entries(page.headers)) headers.set(name, value)
        headers.set('Content-Type', 'text/html; charset=utf-8')
        return { status: failure.status, headers, body: page.html }
      }
      const dialect = service?.dialect ?? fallback
      const { code, status, message, body, challenge } = dialect(failure, findRoute(req)?.metadata)
      noteFault(req, String(code), message)
      if (challenge !== undefined) headers.set('WWW-Authenticate', challenge)
      headers.set('Content-Type', 'application/json; charset=utf-8')
      return { status, headers, body: JSON.stringify(body) }
    },
    /** Requests of one kind get the same response for the same failure. */
    kindOf(req: Request): string {
      const service = serviceOf(req)
      if (wantsPage(req, service)) return `page ${pages.isPage(req.path)} ${req.method}`
      return service ? String(services.indexOf(service)) : 'no service'
    },
  }
}

export type ErrorFormat = ReturnType<typeof createErrorFormat>

export function sendErrors(
  { log, metrics }: Pick<Context, 'log' | 'metrics'>,
  { format }: ErrorFormat,
): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const failure = toFailure(error)
    if (isOutage(error)) metrics.unavailable.inc()
    const { status, headers, body } = await format(failure, req, requestIdOf(res))
    if (status >= 500 && !failure.isShed)
      log.error({ requestId: requestIdOf(res), err: error }, 'request failed')
    if (res.headersSent) return next(error)
    await lingerForBody(req, res)
    res.status(status).setHeaders(headers).send(body)
  }
}

/** Limits of reading a body after an error: bytes, and time in ms. */
const unread = { bytes: 4 * 1024 * 1024, ms: 1000 }

/**
 * Reads the rest of the body before the server responds and closes the connection. Otherwise a
 * client that is still sending would see a reset instead of the response (RFC 9112 §9.6).
 */
export function lingerForBody(req: Request, res: Response): Promise<void> {
  if (req.complete || res.shouldKeepAlive) return Promise.resolve()
  return new Promise((resolve) => {
    let received = 0
    const onData = (chunk: Buffer) => {
      received += chunk.length
      if (received > unread.bytes) done()
    }
    const timer = setTimeout(done, unread.ms)
    function done() {
      clearTimeout(timer)
      req.off('data', onData).off('end', done).off('close', done)
      resolve()
    }
    req.on('data', onData).on('end', done).on('close', done)
  })
}

/** Returns the failure that an error means to the caller. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof RequestValidationError) return fromValidation(error)
  if (error instanceof DatabaseUnavailable) {
    return new Failure(503, {
      message: error instanceof SchemaFault ? error.message : awayMessage,
      retryAfter: retryAfterFault,
      isShed: error.isOutage,
      cause: error,
    })
  }
  return fromHttpError(error) ?? new Failure(500, { cause: error })
}

/** Converts a validation error. No resource has an invalid path parameter, so that is a 404. */
function fromValidation({ pathParams, headers, query, body }: RequestValidationError): Failure {
  if (pathParams) {
    const ids = shownIssues('path', pathParams).filter(({ path }) => /id$/i.test(path))
    return new Failure(404, { details: ids })
  }
  const details = [
    ...shownIssues('headers', headers),
    ...shownIssues('query', query),
    ...shownIssues('body', body),
  ].slice(0, limits.issues)
  return new Failure(400, { details })
}

/** Limits of an error response: number of issues, and characters of each path and message. */
const limits = { issues: 20, path: 100, message: 300 }

type Invalid = { readonly issues: readonly StandardIssue[] } | null

/** Returns the issues of an error as its response shows them. */
export const shownIssues = (where: Issue['in'], error: Invalid): Issue[] =>
  (error?.issues ?? []).slice(0, limits.issues).map((issue) => ({
    in: where,
    path: cut(issuePath(issue), limits.path),
    message: cut(issue.message, limits.message),
  }))

const cut = (text: string, length: number) => text.slice(0, length).toWellFormed()

/** Converts errors of Express and its body parser, which have a `status` and a `type`. */
function fromHttpError(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined
  const { status } = error
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined
  if (status === 413) return new Failure(413)
  const inPath = error instanceof URIError
  const message = inPath ? 'has invalid percent-encoding' : bodyProblem(error)
  return new Failure(400, {
    details: [{ in: inPath ? 'path' : 'body', path: '', message }],
    cause: error,
  })
}

function bodyProblem(error: Error): string {
  const type = 'type' in error ? error.type : undefined
  if (type === 'encoding.unsupported')
    return 'must be uncompressed or compressed with gzip, deflate or br'
  if (type === 'charset.unsupported') return 'must be UTF-8'
  if (type === 'request.aborted') return 'did not arrive completely'
  const text = 'body' in error ? error.body : undefined
  if (typeof text !== 'string') return 'is not well-formed'
  if (parseJson(text) !== undefined) return 'must be an object'
  // Node's message quotes the body, which may contain a secret.
  return `is not valid JSON: ${error.message.replace(/, (\.\.\.)?".*$/s, '')}`
}

/** Requires `Host` in HTTP/1.1. Node's own rejection would have no body. */
export const requireHost: RequestHandler = (req, res, next) => {
  if (req.headers.host !== undefined || req.httpVersion === '1.0') return next()
  res.setHeader('Connection', 'close')
  next(brokenRequest('is required', 'host'))
}

const brokenRequest = (message: string, path = '') =>
  new Failure(400, { details: [{ in: 'headers', path, message }] })

/** Returns 400 for malformed HTTP, oversized headers and slow requests. Closes the connection. */
export const refuseBrokenRequest =
  (dialect: Dialect) =>
  (error: Error & { code?: string }, socket: Duplex): void => {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const failure = brokenRequest(
      error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'did not arrive in time'
        : 'is not well-formed HTTP, or its headers are too large',
    )
    const body = JSON.stringify(dialect(failure).body)
    const head = [
      `HTTP/1.1 ${failure.status} Bad Request`,
      'Connection: close',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
