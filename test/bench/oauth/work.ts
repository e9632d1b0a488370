import { closedLoop } from '../closed-loop.ts'
import { type LoadResult, load } from '../load.ts'

/** Connections, and refresh tokens that are exchanged at once. */
export const connections = 32

/** Sends a kind of request to a server for so many seconds. */
type Work = (url: string, seconds: number) => Promise<LoadResult>

/** What is asked of both sides. */
export const kinds = ['client_credentials', 'refresh rotation'] as const
export type Kind = (typeof kinds)[number]

/** Requests of tokens at a path, with as many refresh tokens as there are connections. */
export function tokenWork(
  path: string,
  {
    client,
    refreshing = client,
    refreshTokens,
  }: { client: string; refreshing?: string; refreshTokens: string[] },
): Record<Kind, Work> {
  const post = (authorization: string) =>
    ({
      path,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
    }) as const
  const issue = { ...post(client), body: () => 'grant_type=client_credentials' }
  const { method, headers } = post(refreshing)
  return {
    client_credentials: (url, seconds) => load(url, [issue], { connections, seconds }),
    'refresh rotation': (url, seconds) =>
      closedLoop({ connections, seconds }, async (ask, connection) => {
        const body = `grant_type=refresh_token&refresh_token=${refreshTokens[connection]}`
        const { status, text } = await ask(url + path, { method, headers }, body)
        if (status !== 200) return false
        refreshTokens[connection] = JSON.parse(text).refresh_token
        return true
      }),
  }
}
