import { bounds } from '@skillpass/contract'
import express, { type Request, type RequestHandler } from 'express'
import { Failure, fail } from '../errors/failure.ts'
import { readParameters, shownName } from '../oauth/parameters.ts'
import { limitBody } from './body.ts'
import { routeOf } from './route.ts'

const formType = 'application/x-www-form-urlencoded'

/** Reads a form body into `req.body`, as text. */
export const readFormText = limitBody(
  express.text({ type: formType, limit: bounds.formBytes }),
  bounds.formBytes,
)

/**
 * Reads the parameters of an OAuth request from the query and the form body into `req.body`, each
 * at most once (open-points B), where the route takes them so. A body of another kind is ignored.
 */
export const readForm: RequestHandler = (req, res, next) => {
  if (!routeOf(req).metadata.form) return next()
  if (!req.is(formType)) return next(gather(req))
  readFormText(req, res, (error?: unknown) => {
    next(error === undefined ? gather(req) : tooLarge(error))
  })
}

function gather(req: Request): unknown {
  try {
    const query = rawQuery(req)
    if (query.length > bounds.oauthQuery) fail('invalid_request', 'The address is too long.')
    const inQuery = readParameters(query)
    if (inQuery.names.has('client_secret')) {
      fail('invalid_request', 'client_secret must not stand in an address: logs would keep it.')
    }
    const body: unknown = req.body
    const { values, repeated } = typeof body === 'string' ? readParameters(query, body) : inQuery
    const [twice] = repeated
    if (twice !== undefined)
      fail('invalid_request', `${shownName(twice)} stands there more than once.`)
    req.body = Object.fromEntries(values)
    return undefined
  } catch (error) {
    return error
  }
}

/** The query as it came, without its question mark. */
export const rawQuery = ({ originalUrl }: Pick<Request, 'originalUrl'>): string => {
  const start = originalUrl.indexOf('?')
  return start < 0 ? '' : originalUrl.slice(start + 1)
}

/** OAuth clients parse 400 alone (open-points B). */
const tooLarge = (error: unknown) =>
  error instanceof Failure && error.code === 'PAYLOAD_TOO_LARGE'
    ? new Failure('invalid_request', { message: 'The form body is too large.' })
    : error
