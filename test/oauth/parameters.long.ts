import { expect, test } from 'vitest'
import { accountOf } from '../support/apps.ts'
import { refusal, startOAuthServer } from '../support/oauth-server.ts'
import { reportFigure, roundsOf } from '../support/rounds.ts'

const mebibyte = 1024 * 1024

const server = await startOAuthServer()

test('requests with too many or too long parameters leave no memory occupied', async () => {
  const app = server.app('Reporter')
  const { id: account_id } = accountOf(server.applied, 'Acme')
  const long: Record<string, string>[] = [
    Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, '1'])),
    { account_id, scope: Array.from({ length: 5000 }, (_, i) => `meeting:read:s${i}`).join(' ') },
    { x: 'y'.repeat(mebibyte) },
  ]
  const refuseAll = async (rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      for (const more of long) {
        const parameters = { grant_type: 'account_credentials', ...more }
        const answer = await server.post('/oauth/token', parameters, { app, place: 'form' })
        expect(refusal(answer)).toBe('400 invalid_request 300')
      }
    }
    return process.memoryUsage().rss
  }
  const before = await refuseAll(10)
  const grown = (await refuseAll(roundsOf(100))) - before
  reportFigure(`memory after refusals of long requests: ${Math.round(grown / mebibyte)} MiB more`)
  expect(grown).toBeLessThan(200 * mebibyte)
})
