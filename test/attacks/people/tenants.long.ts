import { makeUser } from '@skillpass/server/platform/user-changes'
import { expect, test } from 'vitest'
import { startAccountUsers } from '../../support/account-users.ts'
import { engine } from '../../support/databases.ts'
import { reportFigure, roundsOf } from '../../support/rounds.ts'

test('an app adds a user in the same time, whether another account has the email or not', {
  retry: 2,
}, async () => {
  const server = await startAccountUsers(engine)
  const accessToken = await server.tokenOf('Staff', 'admin@group.test')
  const add = async (email: string) => {
    const started = performance.now()
    const { status } = await server.call(accessToken, '/v2/users', {
      method: 'POST',
      body: { action: 'create', user_info: { email, password: null } },
    })
    expect(status).toBe(201)
    return performance.now() - started
  }
  const run = performance.now().toString(36).replace('.', '')
  const names = { firstName: '', lastName: '', passwordHash: '', role: 'member' as const }
  const accountId = server.accountId('Other')
  const times = { taken: [] as number[], free: [] as number[] }
  const rounds = roundsOf(100)
  for (let i = 0; i < rounds; i++) {
    const taken = `taken${i}-${run}@other.test`
    await server.ctx.db.write((trx) =>
      makeUser(server.ctx, trx, { ...names, accountId, email: taken }),
    )
    const emails = [
      ['taken', taken],
      ['free', `free${i}-${run}@other.test`],
    ] as const
    // The first request after a write may wait for it, so the two take turns.
    for (const [kind, email] of i % 2 === 0 ? emails : emails.toReversed()) {
      times[kind].push(await add(email))
    }
  }
  const median = (all: number[]) => all.sort((a, b) => a - b)[rounds >> 1] ?? 0
  const [taken, free] = [median(times.taken), median(times.free)]
  reportFigure(
    `adding a user takes ${taken.toFixed(2)} ms if the email is taken, ${free.toFixed(2)} ms if not`,
  )
  expect(taken / free).toBeGreaterThan(0.4)
  expect(taken / free).toBeLessThan(2.5)
})
