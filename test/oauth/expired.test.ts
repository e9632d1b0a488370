import { expect, test } from 'vitest'
import { password } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { meetingToken } from '../support/meetings.ts'
import { authorizeQuery, member, startOAuthServer, tokensOf } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'

const minute = 60_000
const day = 24 * 60 * minute

/**
 * How long each row is stored, in this order: its lifetime, and a day more for codes and access
 * tokens.
 */
const storageTimes = {
  consent_requests: 15 * minute,
  meeting_tokens: 120 * minute,
  sessions: 12 * 60 * minute,
  authorization_codes: day + 5 * minute,
  device_codes: day + 15 * minute,
  access_tokens: day + 60 * minute,
} as const

/** A server, and functions to count rows and to advance the clock and run the housekeeping. */
async function startHousekeeping(engine: (typeof engines)[number]) {
  const server = await startOAuthServer({ engine })
  const { ctx, clock, runJob } = server
  const begun = clock.now()
  return {
    server,
    app: server.app('Scheduler'),
    async count(table: keyof typeof storageTimes | 'refresh_tokens' | 'grants') {
      return (await ctx.db.read.selectFrom(table).selectAll().execute()).length
    },
    /** Advances to a time after the start, ms. */
    async at(time: number) {
      clock.advance(begun + time - clock.now())
      await runJob('removing expired records')
    },
  }
}

test.each(engines)('housekeeping on %s deletes each row in time, not earlier', async (engine) => {
  const { server, app, count, at } = await startHousekeeping(engine)
  await server.codeOf(app)
  const session = await signIn(server, { email: member, password })
  await session.get(`/oauth/authorize?${authorizeQuery(app)}`)
  await server.deviceCodeOf(app)
  await meetingToken(server, member, 'zak')
  for (const [table, time] of Object.entries(storageTimes) as [
    keyof typeof storageTimes,
    number,
  ][]) {
    await at(time - minute)
    expect([table, await count(table)]).not.toEqual([table, 0])
    await at(time + minute)
    expect([table, await count(table)]).toEqual([table, 0])
  }
})

test.each(engines)(
  'housekeeping on %s keeps used tokens and ended grants 30 days, and grants with their last token',
  async (engine) => {
    const { server, app, count, at } = await startHousekeeping(engine)
    const rows = async () => [await count('refresh_tokens'), await count('grants')]
    const { refresh_token } = await server.grantOf(app)
    const ended = await server.grantOf(app)
    await server.post('/oauth/revoke', { token: ended.access_token }, { app })
    tokensOf(await server.refresh(app, refresh_token))
    await at(30 * day - minute)
    expect(await rows()).toEqual([3, 2])
    await at(30 * day + minute)
    expect(await rows()).toEqual([2, 1])
    await at(91 * day - minute)
    expect((await rows())[1]).toBe(1)
    await at(91 * day + minute)
    expect(await rows()).toEqual([0, 0])
  },
)
