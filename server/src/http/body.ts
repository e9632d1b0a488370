import { bounds } from '@skillpass/contract'
import { ContractNoBody } from '@ts-rest/core'
import express, { type RequestHandler } from 'express'
import { Failure } from '../errors.ts'
import { routeOf } from './route.ts'

const json = limitBody(express.json({ limit: bounds.requestBytes }), bounds.requestBytes)

/** Reads a JSON body where the route declares one; elsewhere a body is ignored. */
export const readBody: RequestHandler = (req, res, next) => {
  const route = routeOf(req)
  if (route.metadata.form || !('body' in route) || route.body === ContractNoBody) return next()
  json(req, res, (error?: unknown) => {
    next(error ?? (req.body === undefined ? noJson() : undefined))
  })
}

/**
 * Refuses a body that is too long as soon as that is known: a parser would read all of it first,
 * however much comes.
 */
export function limitBody(parse: RequestHandler, bytes: number): RequestHandler {
  return (req, res, next) => {
    if (Number(req.headers['content-length']) > bytes) return next(new Failure('PAYLOAD_TOO_LARGE'))
    let ended = false
    const end = (error?: unknown) => {
      if (ended) return
      ended = true
      next(error)
    }
    let received = 0
    req.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received > bytes) end(new Failure('PAYLOAD_TOO_LARGE'))
    })
    parse(req, res, end)
  }
}

const noJson = () =>
  new Failure('VALIDATION_ERROR', {
    details: [{ in: 'headers', path: 'content-type', message: 'send JSON with application/json' }],
  })
