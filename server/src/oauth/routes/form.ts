import { bounds } from '@skillpass/contract'
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'
import { Failure, fail } from '../../errors/failure.ts'
import { explainOtherBody, formType, rawQuery, readFormText } from '../../http/body.ts'
import { runHandler } from '../../http/handlers.ts'
import { routeOf } from '../../http/request.ts'
import { readParameters, shownName } from '../parameters.ts'
import { challengeBasic } from './client-auth.ts'

/**
 * Reads the parameters of an OAuth request from the query and the form body into `req.body`. Each
 * may occur once (spec/decisions.md#parameter-location). Bodies of other types are ignored.
 */
export const readForm: RequestHandler = async (req, res, next) => {
  if (!routeOf(req).metadata.form) return next()
  if (req.is(formType)) await runHandler(readFormText, req, res).catch(refuseLarge)
  // By default, curl sends JSON as a form too.
  if (/^\s*\{/.test(String(req.body))) {
    req.headers['content-type'] = 'application/json'
    req.body = undefined
  }
  req.body = gatherParameters(req, res)
  next()
}

/**
 * Names the content type if a required parameter is missing, and the body was not read. The schema
 * does not require `redirect_uri`, whose error has a code.
 */
export const explainIgnoredBody: RequestHandler = (req, _res, next) => {
  const { body, metadata } = { body: undefined, ...routeOf(req) }
  const hint = explainOtherBody(req)
  if (!metadata.form || !hint || !(body instanceof z.ZodType)) return next()
  const { issues = [] } = body.safeParse(req.body).error ?? {}
  const missing = issues.map(({ path }) => String(path[0])).find((name) => !(name in req.body))
  if (missing) fail('invalid_request', `${missing} is required. ${hint}`)
  const { grant_type, redirect_uri } = req.body
  if (grant_type === 'authorization_code' && redirect_uri === undefined) {
    fail('redirect_uri_mismatch', `redirect_uri is required. ${hint}`)
  }
  next()
}

function gatherParameters(req: Request, res: Response): object {
  const query = rawQuery(req)
  if (query.length > bounds.oauthQuery) fail('invalid_request', 'The address is too long.')
  const inQuery = readParameters(query)
  if (inQuery.names.has('client_secret')) {
    challengeBasic(req, res)
    fail('credentials_missing', secretInQuery)
  }
  const body: unknown = req.body
  const { values, repeated } = typeof body === 'string' ? readParameters(query, body) : inQuery
  const [duplicate] = repeated
  if (duplicate !== undefined) {
    fail('invalid_request', `${shownName(duplicate)} must appear only once.`)
  }
  return Object.fromEntries(values)
}

const secretInQuery =
  'The query contains client_secret, and queries are logged. Rotate the secret, and send it in the Authorization: Basic header or in the form body.'

/** Some OAuth clients parse only 400 and 401 (spec/decisions.md#oauth-errors). */
function refuseLarge(error: unknown): never {
  if (!(error instanceof Failure && error.status === 413)) throw error
  return fail('invalid_request', `The form body is larger than ${bounds.formBytes / 1024} KiB.`)
}
