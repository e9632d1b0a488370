import type { Duplex } from 'node:stream'
import { RequestValidationError } from '@ts-rest/express'
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import type { Context } from '../context/context.ts'
import { DatabaseUnavailable } from '../db/errors.ts'
import { Failure } from '../errors/failure.ts'
import { faultsOf, type Issue } from '../errors/issues.ts'
import { isOutage } from '../errors/outage.ts'
import { parseJson } from '../runtime/parse-json.ts'
import type { Dialect } from './dialect.ts'
import { lingerForBody } from './linger.ts'
import { requestIdOf } from './request-log.ts'
import { findRoute } from './route.ts'
import type { Service } from './service.ts'

/** Seconds after which a fault may be over. */
const retryAfterFault = 2

/** The pages that people are shown where a request of theirs fails. */
export interface ErrorPages {
  /** Whether only pages stand at an address, so that all that fails there is a page. */
  isPage(path: string): boolean
  /** Sends the page of a failure, with the headers that such a page has. */
  send(failure: Failure, req: Request, res: Response): Promise<void>
}

/** Who words failures. */
interface Answering {
  readonly services: readonly Service[]
  /** The dialect of addresses that no service owns. */
  readonly otherwise: Dialect
  readonly pages: ErrorPages
}

/** The only place that writes errors: every failure of a request ends here. */
export function answerErrors(
  { log, metrics }: Pick<Context, 'log' | 'metrics'>,
  { services, otherwise, pages }: Answering,
): ErrorRequestHandler {
  return async (error, req, res, next) => {
    const failure = toFailure(error)
    if (isOutage(error)) metrics.unavailable.inc()
    const service = services.find(({ owns }) => owns(req.path))
    const isPage = wantsPage(req, service, pages)
    const dialect = service?.dialect ?? otherwise
    const answer = isPage ? undefined : dialect(failure, findRoute(req)?.metadata)
    const { status } = answer ?? failure
    if (status >= 500 && !failure.isShed)
      log.error({ requestId: requestIdOf(res), err: error }, 'request failed')
    if (res.headersSent) return next(error)
    await lingerForBody(req, res)
    res.status(status)
    res.setHeader('Cache-Control', 'no-store')
    if (failure.retryAfter !== undefined) res.setHeader('Retry-After', failure.retryAfter)
    // Nothing was done for the request, so that even a POST may be sent again.
    if (failure.neverBegan) res.setHeader('Skillpass-Begun', 'no')
    if (!answer) return pages.send(failure, req, res)
    if (answer.challenge !== undefined) res.setHeader('WWW-Authenticate', answer.challenge)
    res.json(answer.body)
  }
}

/** Pages are for people; an API answers JSON whatever the client accepts. */
function wantsPage(req: Request, service: Service | undefined, pages: ErrorPages): boolean {
  if (pages.isPage(req.path)) return true
  if (service?.isApi(req.path)) return false
  return req.accepts(['json', 'html']) === 'html' && !req.query.format
}

/** Any error as a failure that its caller may see. */
function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof RequestValidationError) return fromValidation(error)
  if (error instanceof DatabaseUnavailable) {
    return new Failure(503, {
      retryAfter: retryAfterFault,
      isShed: error.isOutage,
      cause: error,
    })
  }
  return fromHttpError(error) ?? new Failure(500, { cause: error })
}

/** An id in the path that is malformed names nothing, so it is not found. */
function fromValidation({ pathParams, headers, query, body }: RequestValidationError): Failure {
  if (pathParams) {
    const ids = issues('path', pathParams).filter(({ path }) => /id$/i.test(path))
    return new Failure(404, { details: ids })
  }
  const details = [
    ...issues('headers', headers),
    ...issues('query', query),
    ...issues('body', body),
  ].slice(0, told.issues)
  return new Failure(400, { details })
}

type Invalid = RequestValidationError['body']

/** What is told of a request at most, whatever it holds: how many faults, and characters of each. */
const told = { issues: 20, path: 100, message: 300 }

function issues(where: Issue['in'], error: Invalid): Issue[] {
  return faultsOf(error?.issues ?? [], told.issues).map(({ path, message }) => ({
    in: where,
    path: cut(path.map(String).join('.'), told.path),
    message: cut(message, told.message),
  }))
}

const cut = (text: string, length: number) => text.slice(0, length).toWellFormed()

/** Errors of Express and its body parser say by `status` and `type` what the client did wrong. */
function fromHttpError(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('status' in error)) return undefined
  const { status } = error
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined
  if (status === 413) return new Failure(413)
  const inPath = error instanceof URIError
  const message = inPath ? 'is not well encoded' : bodyFault(error)
  return new Failure(400, {
    details: [{ in: inPath ? 'path' : 'body', path: '', message }],
    cause: error,
  })
}

/** What is wrong with a body that could not be read. */
function bodyFault(error: Error): string {
  const type = 'type' in error ? error.type : undefined
  if (type === 'encoding.unsupported') return 'must be compressed with gzip, deflate or br, or not'
  if (type === 'charset.unsupported') return 'must be UTF-8'
  if (type === 'request.aborted') return 'did not arrive as a whole'
  const text = 'body' in error ? error.body : undefined
  if (typeof text !== 'string') return 'is not well-formed'
  if (parseJson(text) !== undefined) return 'must be an object'
  // Node quotes the body, which may hold a secret.
  return `is not valid JSON: ${error.message.replace(/, (\.\.\.)?".*$/s, '')}`
}

/** HTTP/1.1 asks for `Host`; Node's own refusal would have no body. */
export const requireHost: RequestHandler = (req, res, next) => {
  if (req.headers.host !== undefined || req.httpVersion === '1.0') return next()
  res.setHeader('Connection', 'close')
  next(brokenRequest('is required', 'host'))
}

const brokenRequest = (message: string, path = '') =>
  new Failure(400, { details: [{ in: 'headers', path, message }] })

/**
 * Answers what is not even HTTP, whose headers are too large or what does not arrive in time, and
 * ends the connection.
 */
export const answerBrokenRequest =
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
