import { systemRandom } from '@skillpass/server/runtime/time'
import { createDatedSecret } from '@skillpass/server/secrets/secrets'
import { describe, expect, test } from 'vitest'
import { startOAuthServer } from '../support/oauth-server.ts'

/**
 * The attack measures millions of answers over a network; this measures hundreds on one machine that
 * other tests share. So it would see a slow hash, a second query or a wait for known names alone, not
 * a difference of microseconds: that none can come from the comparison follows from `client-secret.ts`
 * and from look-ups by hash.
 */
const rounds = 150

/** Medians of two ways to ask, sent in turns so that both meet the same load, ms. */
async function medians(...asks: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = asks.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    for (const [index, ask] of asks.entries()) {
      const started = performance.now()
      await ask()
      times[index]?.push(performance.now() - started)
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[rounds >> 1] ?? 0)
}

/** Less apart than a query takes where the database is near. */
const expectAlike = ([a = 0, b = 0]: number[]) =>
  expect(Math.abs(a - b)).toBeLessThan(Math.max(3, 0.75 * Math.min(a, b)))

describe('the time of an answer', { retry: 2 }, async () => {
  const server = await startOAuthServer()
  const app = server.app('Scheduler')
  const made = (kind: 'accessToken' | 'refreshToken' | 'authorizationCode') =>
    createDatedSecret(kind, systemRandom, server.clock.now())

  test('does not tell a wrong secret of a known app from an unknown app', async () => {
    // Each failure moves on, so that none is counted against the next.
    const wrong = (clientId: string) => async () => {
      server.clock.advance(6_001)
      const { status } = await server.token({ clientId, clientSecret: 'wrong' }, {})
      expect(status).toBe(401)
    }
    expectAlike(await medians(wrong(app.clientId), wrong('A'.repeat(22))))
  })

  test('does not tell a revoked, a foreign or an unknown token from one another', async () => {
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
