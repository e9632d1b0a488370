import { bounds } from '@skillpass/contract'
import { ContractNoBody } from '@ts-rest/core'
import express, { type Request, type RequestHandler } from 'express'
import { Failure } from '../errors/failure.ts'
import { routeOf } from './route.ts'

const json = limitBody(express.json({ limit: bounds.requestBytes }), bounds.requestBytes)

function hasJsonBody(req: Request): boolean {
  const route = routeOf(req)
  const { form, bytes } = route.metadata
  return !form && bytes === undefined && 'body' in route && route.body !== ContractNoBody
}

/** Parses a JSON body if the route declares one. Otherwise the body is ignored. */
export const readBody: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD' || !hasJsonBody(req)) return next()
  json(req, res, (error?: unknown) => {
    next(error ?? (req.body === undefined ? noJson() : undefined))
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

const noJson = () =>
  new Failure(400, {
    details: [
      {
        in: 'headers',
        path: 'content-type',
        message: 'must be application/json, with a JSON body',
      },
    ],
  })

export const formType = 'application/x-www-form-urlencoded'

export const readFormText = limitBody(
  express.text({ type: formType, limit: bounds.formBytes }),
  bounds.formBytes,
)

/** Returns the raw query string, without the question mark. */
export const rawQuery = ({ originalUrl }: Pick<Request, 'originalUrl'>): string => {
  const start = originalUrl.indexOf('?')
  return start < 0 ? '' : originalUrl.slice(start + 1)
}
