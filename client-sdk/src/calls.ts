import type { CallSettings } from './call.ts'
import { type AccessTokenSource, sendWithToken } from './credentials.ts'
import type { ErrorReader } from './error-responses.ts'
import { itemsOf } from './pages.ts'
import { type RouteInput, type Target, toRequest } from './request.ts'
import { bodyOf, declaredTypeOf } from './response.ts'
import { mediaTypesOf, type Route, type RoutesOf } from './route.ts'
import { readAll, readOnlyErrors, send, type Transport } from './transport.ts'

/** A service and how to call it. */
export interface Service extends Target {
  readonly transport: Transport
  readonly readError: ErrorReader
  /** Source of tokens for routes that require one. */
  readonly accessToken?: AccessTokenSource | undefined
}

type Input = RouteInput & CallSettings

/**
 * Builds the calls of a tree of routes. TypeScript cannot check the mapped type `C`; it is correct
 * because routes and types are generated from the same contract.
 */
export function callsOf<C>(routes: RoutesOf<C>, service: Service): C
export function callsOf(routes: object, service: Service): object {
  return Object.fromEntries(
    Object.entries(routes).map(([key, value]) => [
      key,
      isRoute(value) ? callOf(value, service) : callsOf(value, service),
    ]),
  )
}

const isRoute = (value: Route | object): value is Route => 'method' in value

function callOf(route: Route, service: Service) {
  const call = async (input: Input = {}) => {
    const response = await sendCall(service, route, input)
    const conditional = input.headers?.['if-none-match'] !== undefined
    if (response.status === 304 && conditional) return null
    return bodyOf(route, response, service.readError)
  }
  const stream = async (input: Input = {}) => {
    const response = await sendCall(service, route, input, readOnlyErrors)
    declaredTypeOf(route, response, service.readError)
    return response.body
  }
  const { pages } = route
  if (pages) return Object.assign(call, { all: (input: Input = {}) => itemsOf(pages, call, input) })
  return isBinary(route) ? Object.assign(call, { stream }) : call
}

/** Returns whether the success response is neither JSON nor text. */
const isBinary = (route: Route) => {
  const { 200: type } = mediaTypesOf(route)
  return typeof type === 'string' && !/^(application\/json|text\/)/.test(type)
}

function sendCall(service: Service, route: Route, input: Input, read = readAll) {
  const request = toRequest(service, route, input)
  const { transport, accessToken } = service
  const needed = route.auth === 'accessToken' && !request.headers.has('authorization')
  if (!needed || !accessToken) return send(transport, request, input, read)
  return sendWithToken(transport, request, accessToken, input)
}
