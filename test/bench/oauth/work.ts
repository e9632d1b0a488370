import { type LoadRequest, type LoadResult, load } from '../load.ts'
import { rotate } from './rotate.ts'

/** Workers that refresh, and connections of the other requests. */
export const connections = 32

/** What a kind of request is on one side. */
export interface Work {
  readonly requests: readonly [LoadRequest, ...LoadRequest[]]
  /** Refresh tokens, one per worker, to exchange again and again in place of sending `requests`. */
  readonly tokens?: string[]
}

/** An access token and a refresh token. */
export interface Pair {
  readonly access: string
  readonly refresh: string
}

/** Sends the work to a server for `seconds`; throws when one answer is not what it should be. */
export async function perform(
  url: string,
  { requests, tokens }: Work,
  seconds: number,
): Promise<LoadResult> {
  const [{ path, headers = {} }] = requests
  const result = tokens
    ? await rotate({ url: url + path, headers }, tokens, seconds)
    : await load(url, requests, { connections, seconds })
  if (result.failed > 0) throw new Error(`${result.failed} requests to ${url}${path} failed`)
  return result
}

/** One answer to the work: path, content type, text. */
export async function sampleOf(url: string, { requests }: Work) {
  const [{ path, method = 'GET', headers = {}, body }] = requests
  const answer = await fetch(url + path, { method, headers, ...(body && { body: body() }) })
  if (!answer.ok) throw new Error(`${url}${path} answered ${answer.status}`)
  return [path, answer.headers.get('content-type') ?? '', await answer.text()] as const
}

/** The header of a client's id and secret. */
export const basic = (id: string, secret: string) =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** A form that a client sends again and again. */
export const form = (path: string, authorization: string, body: string): Work => ({
  requests: [post(path, authorization, body)],
})

/** Introspections of the access tokens, in turn. */
export const introspections = (path: string, authorization: string, pairs: readonly Pair[]) =>
  eachOf(pairs, ({ access }) => post(path, authorization, `token=${access}`))

/** Reads with the access tokens, in turn. */
export const reads = (path: string, pairs: readonly Pair[]) =>
  eachOf(pairs, ({ access }) => ({ path, headers: { authorization: `Bearer ${access}` } }))

/** Rotations of the first refresh tokens; the last is there for a sample. */
export const rotations = (path: string, authorization: string, pairs: readonly Pair[]): Work => ({
  ...eachOf(pairs.slice(-1), ({ refresh }) =>
    post(path, authorization, `grant_type=refresh_token&refresh_token=${refresh}`),
  ),
  tokens: pairs.slice(0, connections).map(({ refresh }) => refresh),
})

function eachOf(pairs: readonly Pair[], make: (pair: Pair) => LoadRequest): Work {
  const [first, ...more] = pairs.map(make)
  if (first === undefined) throw new Error('there are no tokens to work with')
  return { requests: [first, ...more] }
}

const post = (path: string, authorization: string, body: string): LoadRequest => ({
  path,
  method: 'POST',
  headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
  body: () => body,
})
