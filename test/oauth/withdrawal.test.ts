import { decideApproval } from '@skillpass/server/oauth/approvals'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { accountOf, appOf, declare, password } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import {
  asking,
  oauthServerForTest,
  refusal,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'
import { authorizeCode, signIn } from '../support/people.ts'

const careful = 'member@careful.test'

describe.skipIf(!engines.includes('postgres'))('a withdrawal that takes its time', () => {
  test('and an exchange that comes meanwhile: no token outlives it', async () => {
    const server = await oauthServerForTest({ engine: 'postgres' })
    const scheduler = server.app('Scheduler')
    const { id: appId } = appOf(server.applied, 'Scheduler')
    const admin = await findUserByEmail(server.ctx.db.read, 'admin@careful.test')
    if (!admin) throw new Error('The admin is missing.')
    await decideApproval(server.ctx, admin, appId, 'approved')
    const living = await server.grantOf(scheduler, { email: careful })
    const code = await server.codeOf(scheduler, { email: careful })

    // Holds the withdrawal up in the middle, as many grants would.
    const blocker = new pg.Client({ connectionString: server.database.url })
    await blocker.connect()
    await blocker.query('begin')
    const account = accountOf(server.applied, 'Careful').id
    await blocker.query('select id from grants where account_id = $1 for update', [account])
    const withdrawal = decideApproval(server.ctx, admin, appId, 'withdrawn')
    await untilWaiting(blocker)
    const exchanged = server.exchange(scheduler, code)
    const session = await signIn(server, { email: careful, password })
    const parameters = Object.fromEntries(new URLSearchParams(asking(scheduler)))
    const late = await authorizeCode(session, parameters).catch(() => undefined)
    await blocker.query('commit')
    await blocker.end()
    await withdrawal

    expect((await server.me(living.access_token)).status).toBe(401)
    expect(refusal(await exchanged)).toBe('400 invalid_grant 4738')
    if (late?.code) {
      expect(refusal(await server.exchange(scheduler, late.code))).toBe('400 invalid_grant 4738')
    }
  })
})

/** Waits until a transaction of this database waits for another. */
async function untilWaiting(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if (rowCount) return
  }
}

describe('an approval that was withdrawn', async () => {
  const server = await startOAuthServer()
  const scheduler = server.app('Scheduler')
  const { id: appId } = appOf(server.applied, 'Scheduler')

  test('keeps an app out even where the account asks for none', async () => {
    const admin = await findUserByEmail(server.ctx.db.read, 'admin@testAccounts.test')
    if (!admin) throw new Error('The admin is missing.')
    tokensOf(await server.exchange(scheduler, await server.codeOf(scheduler)))
    await decideApproval(server.ctx, admin, appId, 'withdrawn')
    const session = await signIn(server, { email: 'member@testAccounts.test', password })
    expect((await session.get(`/oauth/authorize?${asking(scheduler)}`)).status).toBe(403)
    await decideApproval(server.ctx, admin, appId, 'approved')
    expect((await session.get(`/oauth/authorize?${asking(scheduler)}`)).status).toBe(200)
  })

  test('cannot be declined once it is approved, whoever is faster', async () => {
    const admin = await findUserByEmail(server.ctx.db.read, 'admin@careful.test')
    if (!admin) throw new Error('The admin is missing.')
    await declare(server, { accounts: [{ name: 'Careful', approvedApps: ['Scheduler'] }] })
    const declined = decideApproval(server.ctx, admin, appId, 'declined')
    await expect(declined).rejects.toMatchObject({ code: 'not_allowed_now', status: 409 })
  })
})
