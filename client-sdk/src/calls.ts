import type { CallSettings } from './call.ts'
import { type AccessTokenSource, sendWithToken } from './credentials.ts'
import { itemsOf } from './pages.ts'
import type { ReadRefusal } from './refusals.ts'
import { type RouteInput, type Target, toRequest } from './request.ts'
import { bodyOf, typeOf } from './response.ts'
import { answersOf, type Route, type RoutesOf } from './route.ts'
import { readAll, readRefusalAlone, send, type Wire } from './transport.ts'

/** What the calls of one service have in common. */
export interface CalledService extends Target {
  readonly wire: Wire
  readonly readRefusal: ReadRefusal
  /** Asked for a token at each call of a route that needs one. */
  readonly accessToken?: AccessTokenSource | undefined
}

type Input = RouteInput & CallSettings

/**
 * The calls of a table of routes. TypeScript cannot follow a loop over keys into a mapped type, so this
 * signature is a claim; table and types are generated of one contract.
 */
export function callsOf<C>(routes: RoutesOf<C>, caller: CalledService): C
export function callsOf(routes: object, caller: CalledService): object {
  return Object.fromEntries(
    Object.entries(routes).map(([key, value]) => [
      key,
      isRoute(value) ? callOf(value, caller) : callsOf(value, caller),
    ]),
  )
}

const isRoute = (value: Route | object): value is Route => 'method' in value

function callOf(route: Route, caller: CalledService) {
  const call = async (input: Input = {}) => {
    const answer = await answerTo(caller, route, input)
    const conditional = input.headers?.['if-none-match'] !== undefined
    if (answer.status === 304 && conditional) return null
    return bodyOf(route, answer, caller.readRefusal)
  }
  const stream = async (input: Input = {}) => {
    const answer = await answerTo(caller, route, input, readRefusalAlone)
    typeOf(route, answer, caller.readRefusal)
    return answer.body
  }
  const { pages } = route
  if (pages) return Object.assign(call, { all: (input: Input = {}) => itemsOf(pages, call, input) })
  return isOfBytes(route) ? Object.assign(call, { stream }) : call
}

/** Whether a success answers bytes that are neither JSON nor text. */
const isOfBytes = (route: Route) => {
  const { 200: type } = answersOf(route)
  return typeof type === 'string' && !/^(application\/json|text\/)/.test(type)
}

function answerTo(caller: CalledService, route: Route, input: Input, read = readAll) {
  const request = toRequest(caller, route, input)
  const { wire, accessToken } = caller
  const needed = route.auth === 'accessToken' && !request.headers.has('authorization')
  if (!needed || !accessToken) return send(wire, request, input, read)
  return sendWithToken(wire, request, accessToken, input)
}
