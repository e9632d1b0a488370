import {
  type AppRoute,
  type AppRouter,
  type ClientInferResponseBody,
  isAppRoute,
  type PartialClientInferRequest,
  type SuccessfulHttpStatusCode,
} from '@ts-rest/core'
import { z } from 'zod'
import { type AccessTokenSource, sendWithToken } from './credentials.ts'
import type { ReadRefusal } from './refusals.ts'
import { metadataOf, type RouteInput, type Target, toRequest } from './request.ts'
import { bodyOf } from './response.ts'
import { type CallOptions, send, type Wire } from './transport.ts'

/** Headers beside those that the client sets; in lower case, as the contract writes them. */
export interface ExtraHeaders {
  readonly headers?: Readonly<Record<Lowercase<string>, string>> | undefined
}

/** What a call of a route takes: what the contract declares, and the options of a call. */
export type CallInput<R extends AppRoute> = Pick<
  PartialClientInferRequest<R>,
  Extract<keyof PartialClientInferRequest<R>, 'params' | 'query' | 'body' | 'headers'>
> &
  ExtraHeaders &
  CallOptions

/** What a call of a route gives: the body of its success response. */
export type CallResult<R extends AppRoute> = ClientInferResponseBody<
  R,
  Extract<keyof R['responses'], SuccessfulHttpStatusCode>
>

/** A call of one route. */
export type Call<R extends AppRoute> = ConditionalCall<R> &
  (Record<never, never> extends CallInput<R>
    ? (input?: CallInput<R>) => Promise<CallResult<R>>
    : (input: CallInput<R>) => Promise<CallResult<R>>) &
  PagedCall<R>

/** Where the contract declares 304: with `if-none-match`, null says that the copy is still good. */
type ConditionalCall<R extends AppRoute> = 304 extends keyof R['responses']
  ? (
      input: CallInput<R> & { readonly headers: { readonly 'if-none-match': string } },
    ) => Promise<CallResult<R> | null>
  : unknown

/** Where the contract declares pages: iteration over the items of all of them. */
type PagedCall<R extends AppRoute> =
  CallResult<R> extends { data: (infer Item)[]; page: number; hasMore: boolean }
    ? {
        /**
         * Every item from `query.page` on, page after page, each fetched when it is reached.
         *
         * @example
         * for await (const skill of client.registry.skills.search.all({ query: { q: 'pdf' } })) {
         *   console.log(skill.name)
         * }
         */
        all(input?: CallInput<R>): AsyncGenerator<Item, void, undefined>
      }
    : unknown

/** The contract's own tree, with a call in the place of each route. */
export type Calls<T extends AppRouter> = {
  readonly [K in keyof T]: T[K] extends AppRoute
    ? Call<T[K]>
    : T[K] extends AppRouter
      ? Calls<T[K]>
      : never
}

/** What the calls of one service have in common. */
export interface Caller extends Target {
  readonly wire: Wire
  readonly readRefusal: ReadRefusal
  /** Asked for a token at each call of a route that needs one. */
  readonly accessToken?: AccessTokenSource | undefined
}

type Input = RouteInput & CallOptions

/**
 * The calls of a contract. TypeScript cannot follow a loop over keys into a mapped type, so this
 * signature is a claim; the type tests of the client hold it to the contract.
 */
export function callsOf<T extends AppRouter>(router: T, caller: Caller): Calls<T>
export function callsOf(router: AppRouter, caller: Caller): object {
  return Object.fromEntries(
    Object.entries(router).map(([key, value]) => [
      key,
      isAppRoute(value) ? callOf(value, caller) : callsOf(value, caller),
    ]),
  )
}

function callOf(route: AppRoute, caller: Caller) {
  const call = async (input: Input = {}) => {
    const answer = await answerTo(caller, route, input)
    const conditional = input.headers?.['if-none-match'] !== undefined
    if (answer.status === 304 && conditional) return null
    return bodyOf(route, answer, caller.readRefusal)
  }
  return isPaged(route) ? Object.assign(call, { all: (input?: Input) => pages(call, input) }) : call
}

function answerTo(caller: Caller, route: AppRoute, input: Input) {
  const request = toRequest(caller, route, input)
  const { wire, accessToken } = caller
  const needed = metadataOf(route).auth === 'accessToken' && !request.headers.has('authorization')
  if (!needed || !accessToken) return send(wire, request, input)
  return sendWithToken(wire, request, accessToken, input)
}

const Page = z.object({ data: z.array(z.unknown()), page: z.number(), hasMore: z.boolean() })

const isPaged = ({ responses: { 200: schema } }: AppRoute) =>
  schema instanceof z.ZodObject && Object.keys(Page.shape).every((key) => key in schema.shape)

async function* pages(call: (input: Input) => Promise<unknown>, input: Input = {}) {
  for (let query = input.query; ; ) {
    const { data, page, hasMore } = Page.parse(await call({ ...input, query }))
    yield* data
    if (!hasMore) return
    query = { ...query, page: page + 1 }
  }
}
