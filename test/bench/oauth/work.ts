import { closedLoop } from '../closed-loop.ts'
import { type LoadResult, load } from '../load.ts'

/** Number of connections, each with a refresh token. */
export const connections = 32

/** Sends requests of one kind for a number of seconds. */
type Work = (url: string, seconds: number) => Promise<LoadResult>

export const kinds = ['client_credentials', 'refresh rotation'] as const
export type Kind = (typeof kinds)[number]

/** Creates the token requests to a path. Requires a refresh token per connection. */
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
      closedLoop({ connections, seconds }, async (send, connection) => {
        const body = `grant_type=refresh_token&refresh_token=${refreshTokens[connection]}`
        const { status, text } = await send(url + path, { method, headers }, body)
        if (status !== 200) return false
        refreshTokens[connection] = JSON.parse(text).refresh_token
        return true
      }),
  }
}
