import { systemRandom } from '@skillpass/server/runtime/time'
import { createDatedSecret } from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'
import { startOAuthServer } from '../support/oauth-server.ts'
import { roundsOf } from '../support/rounds.ts'

/**
 * An attacker measures millions of answers over a network. This measures hundreds on one machine, so it
 * sees a slow hash or an additional wait, not microseconds. `timing.test.ts` compares the queries.
 */
const rounds = roundsOf(150)

/** Medians of two kinds of requests, sent in turns so that both meet the same load, ms. */
async function medians(...sends: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = sends.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    for (const [index, send] of sends.entries()) {
      const started = performance.now()
      await send()
      times[index]?.push(performance.now() - started)
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[rounds >> 1] ?? 0)
}

/** The medians differ by less than a query takes if the database is near. */
const expectAlike = ([a = 0, b = 0]: number[]) =>
  expect(Math.abs(a - b)).toBeLessThan(Math.max(3, 0.75 * Math.min(a, b)))

describe('the time of an answer', { retry: 2 }, async () => {
  const server = await startOAuthServer()
  const app = server.app('Scheduler')
  const made = (kind: 'accessToken' | 'refreshToken' | 'authorizationCode') =>
    createDatedSecret(kind, systemRandom, server.clock.now())

  test('a wrong secret of a known app takes the time of an unknown app', async () => {
    const wrong = (clientId: string) => async () => {
      // Later than the window of the failures before.
      server.clock.advance(6_001)
      const { status } = await server.token({ clientId, clientSecret: 'wrong' }, {})
      expect(status).toBe(401)
    }
    expectAlike(await medians(wrong(app.clientId), wrong('A'.repeat(22))))
  })

  test('an expired or foreign secret takes the time of an unknown one', async () => {
    const { access_token } = await server.grantOf(app)
    server.clock.advance(3_600_000)
    const known = () => server.me(access_token)
    const unknown = () => server.me(made('accessToken'))
    expectAlike(await medians(known, unknown))
    const stranger = server.app('Stranger')
    const { refresh_token } = await server.grantOf(app)
    const foreign = () => server.refresh(stranger, refresh_token)
    const none = () => server.refresh(stranger, made('refreshToken'))
    expectAlike(await medians(foreign, none))
    const code = await server.codeOf(app)
    const foreignCode = () => server.exchange(stranger, code)
    const noCode = () => server.exchange(stranger, made('authorizationCode'))
    expectAlike(await medians(foreignCode, noCode))
  })
})
