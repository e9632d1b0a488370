import { closedLoop } from '../closed-loop.ts'
import { type LoadRequest, type LoadResult, load } from '../load.ts'

/** Connections, and refresh tokens that are exchanged at once. */
export const connections = 32

/** Sends a kind of request to a server for so many seconds. */
export type Work = (url: string, seconds: number) => Promise<LoadResult>

/** An access token and a refresh token. */
export interface Pair {
  readonly access_token: string
  readonly refresh_token: string
}

const inTurn =
  (requests: readonly LoadRequest[]): Work =>
  (url, seconds) =>
    load(url, requests, { connections, seconds })

/** A form that a client sends again and again. */
export const form = (path: string, authorization: string, body: string): Work =>
  inTurn([post(path, authorization, body)])

/** Introspections of the access tokens, in turn. */
export const introspections = (path: string, authorization: string, pairs: readonly Pair[]): Work =>
  inTurn(pairs.map(({ access_token }) => post(path, authorization, `token=${access_token}`)))

/** Reads with the access tokens, in turn. */
export const reads = (path: string, pairs: readonly Pair[]): Work =>
  inTurn(
    pairs.map(({ access_token }) => ({
      path,
      headers: { authorization: `Bearer ${access_token}` },
    })),
  )

/** Exchanges refresh tokens, one for each connection, again and again. */
export function rotations(path: string, authorization: string, pairs: readonly Pair[]): Work {
  const tokens = pairs.slice(0, connections).map(({ refresh_token }) => refresh_token)
  const { method, headers } = post(path, authorization, '')
  return (url, seconds) =>
    closedLoop({ connections: tokens.length, seconds }, async (ask, connection) => {
      const body = `grant_type=refresh_token&refresh_token=${tokens[connection]}`
      const { status, text } = await ask(url + path, { method, headers }, body)
      if (status !== 200) return false
      tokens[connection] = (JSON.parse(text) as Pair).refresh_token
      return true
    })
}

const post = (path: string, authorization: string, body: string) =>
  ({
    path,
    method: 'POST',
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    body: () => body,
  }) as const
