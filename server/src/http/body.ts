import { bounds } from '@skillpass/contract'
import { ContractNoBody } from '@ts-rest/core'
import express, { type Request, type RequestHandler } from 'express'
import { Failure } from '../errors/failure.ts'
import { routeOf } from './request.ts'

const readAs = (type: string | (() => true)) =>
  limitBody(express.json({ limit: bounds.requestBytes, type }), bounds.requestBytes)

const json = readAs('application/json')
const anyBody = readAs(() => true)

/**
 * Parses a JSON body. If the route declares none, a body of any type is refused unless it is an
 * object, whose fields are then checked: it may name what the caller means, such as an occurrence.
 */
export const readBody: RequestHandler = (req, res, next) => {
  const route = routeOf(req)
  const { form, bytes } = route.metadata
  if (route.method === 'GET' || form || bytes !== undefined) return next()
  const isDeclared = 'body' in route && route.body !== ContractNoBody
  const read = isDeclared ? json : anyBody
  read(req, res, (error?: unknown) => {
    const isWrong = isDeclared ? req.body === undefined : Array.isArray(req.body)
    next(error ?? (isWrong ? noJson() : undefined))
  })
}

/** Returns 413 as soon as a body exceeds the limit. The parser alone would first read all of it. */
function limitBody(parse: RequestHandler, bytes: number): RequestHandler {
  return (req, res, next) => {
    if (Number(req.headers['content-length']) > bytes) return next(new Failure(413))
    // An alias of gzip (RFC 9110 §8.4.1.3) that the parser does not know.
    if (/^x-gzip$/i.test(req.headers['content-encoding'] ?? '')) {
      req.headers['content-encoding'] = 'gzip'
    }
    let ended = false
    const end = (error?: unknown) => {
      if (ended) return
      ended = true
      next(error)
    }
    let received = 0
    req.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > bytes) end(new Failure(413))
    })
    parse(req, res, end)
  }
}

const noJson = () => {
  const message = 'must be application/json, with a JSON body'
  return new Failure(400, { details: [{ in: 'headers', path: 'content-type', message }] })
}

export const formType = 'application/x-www-form-urlencoded'

/** Returns the remedy if a request has a body of another type, which is ignored. */
export const explainOtherBody = (req: Request): string | undefined =>
  req.is(formType) === false && req.headers['content-length'] !== '0'
    ? `Send the parameters as ${formType}. The body was ignored, because it is no such form.`
    : undefined

export const readFormText = limitBody(
  express.text({ type: formType, limit: bounds.formBytes }),
  bounds.formBytes,
)

/** Returns the raw query string, without the question mark. */
export const rawQuery = ({ originalUrl }: Pick<Request, 'originalUrl'>): string => {
  const start = originalUrl.indexOf('?')
  return start < 0 ? '' : originalUrl.slice(start + 1)
}
