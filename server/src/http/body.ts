import { bounds } from '@skillpass/contract'
import { ContractNoBody } from '@ts-rest/core'
import express, { type RequestHandler } from 'express'
import { Failure } from '../errors.ts'
import { routeOf } from './route.ts'

const json = express.json({ limit: bounds.requestBytes })

/** Reads a JSON body where the route declares one; elsewhere a body is ignored. */
export const readBody: RequestHandler = (req, res, next) => {
  const route = routeOf(req)
  if (!('body' in route) || route.body === ContractNoBody) return next()
  json(req, res, (error?: unknown) => {
    if (error) return next(error)
    if (req.body !== undefined) return next()
    next(
      new Failure('VALIDATION_ERROR', {
        details: [
          { in: 'headers', path: 'content-type', message: 'send JSON with application/json' },
        ],
      }),
    )
  })
}
