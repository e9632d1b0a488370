import { systemRandom } from '@skillpass/server/runtime/time'
import { createDatedSecret } from '@skillpass/server/secrets/secrets'
import { DefaultQueryExecutor } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { startOAuthServer } from '../support/oauth-server.ts'

// The server deletes expired rows and looks for due webhooks by itself.
const byRequests =
  /^(?!delete)(?!.*webhook_events).*"(clients|access_tokens|refresh_tokens|authorization_codes|grants)"/s

/** The queries that an answer needs. */
async function queriesOf(send: () => Promise<unknown>): Promise<string[]> {
  const spy = vi.spyOn(DefaultQueryExecutor.prototype, 'executeQuery')
  try {
    await send()
    return spy.mock.calls.map(([{ sql }]) => sql).filter((sql) => byRequests.test(sql))
  } finally {
    spy.mockRestore()
  }
}

describe('the work of a refusal', async () => {
  const server = await startOAuthServer()
  const app = server.app('Scheduler')
  const stranger = server.app('Stranger')
  const made = (kind: 'accessToken' | 'refreshToken' | 'authorizationCode') =>
    createDatedSecret(kind, systemRandom, server.clock.now())
  const { access_token } = await server.grantOf(app)
  server.clock.advance(3_600_000)
  const { refresh_token } = await server.grantOf(app)
  const code = await server.codeOf(app)
  const wrong = (clientId: string) => () => server.token({ clientId, clientSecret: 'wrong' }, {})

  test.each([
    ['a wrong secret of a known app', wrong(app.clientId), wrong('A'.repeat(22))],
    [
      'an expired access token',
      () => server.me(access_token),
      () => server.me(made('accessToken')),
    ],
    [
      'a refresh token of another app',
      () => server.refresh(stranger, refresh_token),
      () => server.refresh(stranger, made('refreshToken')),
    ],
    [
      'a code of another app',
      () => server.exchange(stranger, code),
      () => server.exchange(stranger, made('authorizationCode')),
    ],
  ])('%s needs the same queries as an unknown one', async (_, known, unknown) => {
    const queries = await queriesOf(known)
    expect(queries).not.toEqual([])
    expect(await queriesOf(unknown)).toEqual(queries)
  })
})
