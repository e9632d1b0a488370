import { bounds } from '@skillpass/contract'
import { ContractNoBody } from '@ts-rest/core'
import express, { type RequestHandler } from 'express'
import { Failure } from '../errors.ts'
import { routeOf } from './route.ts'

const json = express.json({ limit: bounds.requestBytes })

/**
 * Reads a JSON body where the route declares one; elsewhere a body is ignored. One that is too long
 * is refused as soon as that is known: the parser would read all of it first, however much comes.
 */
export const readBody: RequestHandler = (req, res, next) => {
  const route = routeOf(req)
  if (!('body' in route) || route.body === ContractNoBody) return next()
  if (Number(req.headers['content-length']) > bounds.requestBytes) {
    return next(new Failure('PAYLOAD_TOO_LARGE'))
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
    if (received > bounds.requestBytes) end(new Failure('PAYLOAD_TOO_LARGE'))
  })
  json(req, res, (error?: unknown) => end(error ?? (req.body === undefined ? noJson() : undefined)))
}

const noJson = () =>
  new Failure('VALIDATION_ERROR', {
    details: [{ in: 'headers', path: 'content-type', message: 'send JSON with application/json' }],
  })
