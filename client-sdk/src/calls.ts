import {
  type AppRoute,
  type AppRouter,
  type ClientInferResponseBody,
  isAppRoute,
  type PartialClientInferRequest,
  type SuccessfulHttpStatusCode,
} from '@ts-rest/core'
import { type AccessTokenSource, sendWithToken } from './credentials.ts'
import { itemsOf, pageReaderOf } from './pages.ts'
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
export type Call<R extends AppRoute> = ConditionalCall<R> & PlainCall<R> & PagedCall<R>

type PlainCall<R extends AppRoute> =
  Record<never, never> extends CallInput<R>
    ? (input?: CallInput<R>) => Promise<CallResult<R>>
    : (input: CallInput<R>) => Promise<CallResult<R>>

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
        all(...input: Parameters<PlainCall<R>>): AsyncGenerator<Item, void, undefined>
      }
    : CallResult<R> extends { next_page_token: string }
      ? {
          /**
           * Every item from `query.next_page_token` on, page after page, each fetched when it is
           * reached.
           *
           * @example
           * for await (const meeting of platform.meetings.list.all({ params: { userId: 'me' } })) {
           *   console.log(meeting.topic)
           * }
           */
          all(
            ...input: Parameters<PlainCall<R>>
          ): AsyncGenerator<ListedItem<CallResult<R>>, void, undefined>
        }
      : unknown

/** What stands in the one list of a page that has a token for the next. */
type ListedItem<Page> = Extract<Page[keyof Page], readonly unknown[]>[number]

/** The contract's own tree, with a call in the place of each route. */
export type Calls<T extends AppRouter> = {
  readonly [K in keyof T]: T[K] extends AppRoute
    ? Call<T[K]>
    : T[K] extends AppRouter
      ? Calls<T[K]>
      : never
}

/** What the calls of one service have in common. */
export interface CalledService extends Target {
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
export function callsOf<T extends AppRouter>(router: T, caller: CalledService): Calls<T>
export function callsOf(router: AppRouter, caller: CalledService): object {
  return Object.fromEntries(
    Object.entries(router).map(([key, value]) => [
      key,
      isAppRoute(value) ? callOf(value, caller) : callsOf(value, caller),
    ]),
  )
}

function callOf(route: AppRoute, caller: CalledService) {
  const call = async (input: Input = {}) => {
    const answer = await answerTo(caller, route, input)
    const conditional = input.headers?.['if-none-match'] !== undefined
    if (answer.status === 304 && conditional) return null
    return bodyOf(route, answer, caller.readRefusal)
  }
  const read = pageReaderOf(route)
  return read
    ? Object.assign(call, { all: (input: Input = {}) => itemsOf(read, call, input) })
    : call
}

function answerTo(caller: CalledService, route: AppRoute, input: Input) {
  const request = toRequest(caller, route, input)
  const { wire, accessToken } = caller
  const needed = metadataOf(route).auth === 'accessToken' && !request.headers.has('authorization')
  if (!needed || !accessToken) return send(wire, request, input)
  return sendWithToken(wire, request, accessToken, input)
}
