import { type OAuthErrorName, oauthErrors } from '@skillpass/contract'
import { removeAddedApp } from '@skillpass/server/oauth/added-apps'
import { decideApproval } from '@skillpass/server/oauth/approvals'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { describe, expect, test } from 'vitest'
import { appOf, declare, generalApp, makeApp } from '../support/apps.ts'
import { type Answer, read, startOAuthServer } from '../support/oauth-server.ts'

/**
 * The refusals of the token endpoint, written out by hand: status, body less its description, and
 * whether the header of the request is challenged. The provocation stands beside each.
 */
interface Row {
  name: OAuthErrorName
  status: number
  body: { error: string; reason?: string; code?: number }
  provoke: () => Promise<Answer>
}

const row = (
  name: OAuthErrorName,
  status: number,
  body: Row['body'],
  provoke: Row['provoke'],
): Row => ({ name, status, body, provoke })

describe('refusals of the authorization service', async () => {
  const server = await startOAuthServer()
  const scheduler = server.app('Scheduler')
  const bot = server.app('Helper bot')
  const userOf = async (email: string) => {
    const user = await findUserByEmail(server.ctx.db.read, email)
    if (!user) throw new Error(`There is no user ${email}.`)
    return user
  }
  const device = async () => {
    const { clientId: client_id } = scheduler
    return (await server.post('/oauth/devicecode', { client_id }, { app: scheduler })).body
  }
  const invalidGrant = { error: 'invalid_grant' }

  const rows: Row[] = [
    row(
      'invalid_client',
      401,
      { error: 'invalid_client', reason: 'Invalid client', code: 4702 },
      () => server.token({ ...bot, clientSecret: 'x' }, { grant_type: 'refresh_token' }),
    ),
    row(
      'client_mismatch',
      401,
      { error: 'invalid_client', reason: 'Invalid client', code: 4704 },
      () => server.token(bot, { client_id: scheduler.clientId }),
    ),
    row(
      'unsupported_grant_type',
      400,
      { error: 'unsupported_grant_type', reason: 'Grant type not supported', code: 4705 },
      () => server.token(bot, { grant_type: 'password' }),
    ),
    row(
      'credentials_missing',
      401,
      { error: 'invalid_client', reason: 'Client ID or secret missing', code: 4706 },
      () => server.token(undefined, { grant_type: 'client_credentials' }),
    ),
    row(
      'redirect_uri_mismatch',
      400,
      { ...invalidGrant, reason: 'Redirect URI mismatch', code: 4709 },
      async () => server.exchange(scheduler, await server.codeOf(scheduler), { redirect_uri: 'x' }),
    ),
    row(
      'scopes_lost',
      400,
      { ...invalidGrant, reason: 'Refresh token invalid', code: 4711 },
      async () => {
        const app = await makeApp(server, 'Loser', ['user:read:user', 'user:update:user'])
        const { refresh_token } = await server.grantOf(app)
        await declare(server, { apps: [generalApp('Loser', ['user:read:user'])] })
        return server.refresh(app, refresh_token)
      },
    ),
    row(
      'app_disabled',
      400,
      { error: 'unauthorized_client', reason: 'App has been disabled', code: 4717 },
      () => server.refresh(server.app('Off'), 'x'),
    ),
    row(
      'code_expired',
      400,
      { ...invalidGrant, reason: 'Code is expired', code: 4733 },
      async () => {
        const code = await server.codeOf(scheduler)
        server.clock.advance(301_000)
        return server.exchange(scheduler, code)
      },
    ),
    row(
      'code_invalid',
      400,
      { ...invalidGrant, reason: 'Invalid authorization code', code: 4734 },
      () => server.exchange(scheduler, 'x'),
    ),
    row(
      'owner_missing',
      400,
      { ...invalidGrant, reason: 'Owner of token does not exist', code: 4735 },
      () => server.refresh(scheduler, 'x'),
    ),
    row('app_not_public', 400, { ...invalidGrant, reason: 'App is not public' }, async () => {
      const scopes = ['user:read:user']
      const app = await makeApp(server, 'Withdrawn', scopes)
      const { refresh_token } = await server.grantOf(app, { email: 'member@other.test' })
      const apps = [generalApp('Withdrawn', scopes, { visibility: 'private' })]
      await declare(server, { apps })
      return server.refresh(app, refresh_token)
    }),
    row(
      'approval_withdrawn',
      400,
      { ...invalidGrant, reason: 'Approval has been withdrawn', code: 4738 },
      async () => {
        await declare(server, { accounts: [{ name: 'Careful', approvedApps: ['Scheduler'] }] })
        const { refresh_token } = await server.grantOf(scheduler, {
          email: 'member@careful.test',
        })
        const { id } = appOf(server.applied, 'Scheduler')
        await decideApproval(server.ctx, await userOf('admin@careful.test'), id, 'withdrawn')
        return server.refresh(scheduler, refresh_token)
      },
    ),
    row(
      'grant_ended',
      400,
      { ...invalidGrant, reason: 'Token has been revoked', code: 4741 },
      async () => {
        const email = 'owner@testAccounts.test'
        const { refresh_token } = await server.grantOf(scheduler, { email })
        const { id } = appOf(server.applied, 'Scheduler')
        await removeAddedApp(server.ctx, await userOf(email), id)
        return server.refresh(scheduler, refresh_token)
      },
    ),
    row('invalid_grant', 400, { ...invalidGrant, reason: 'Invalid grant' }, () =>
      server.poll(scheduler, 'x'),
    ),
    row(
      'unauthorized_client',
      400,
      { error: 'unauthorized_client', reason: 'Unauthorized client' },
      () => server.token(scheduler, { grant_type: 'client_credentials' }),
    ),
    row('invalid_scope', 400, { error: 'invalid_scope', reason: 'Invalid scope' }, () =>
      server.token(bot, { grant_type: 'client_credentials', scope: 'x' }),
    ),
    row(
      'invalid_request',
      400,
      { error: 'invalid_request', reason: 'Invalid request', code: 300 },
      () => server.token(bot, {}),
    ),
    row('authorization_pending', 400, { error: 'authorization_pending' }, async () =>
      server.poll(scheduler, (await device()).device_code),
    ),
    row('slow_down', 400, { error: 'slow_down' }, async () => {
      const { device_code } = await device()
      await server.poll(scheduler, device_code)
      return server.poll(scheduler, device_code)
    }),
    row('access_denied', 400, { error: 'access_denied' }, async () => {
      const { device_code, user_code } = await device()
      await server.decide(user_code, { allow: false })
      return server.poll(scheduler, device_code)
    }),
    row('expired_token', 400, { error: 'expired_token' }, async () => {
      const { device_code } = await device()
      server.clock.advance(900_000)
      return server.poll(scheduler, device_code)
    }),
    row(
      'too_many_requests',
      429,
      { error: 'temporarily_unavailable', reason: 'Too many requests', code: 429 },
      async () => {
        const wrong = { ...server.app('Strict'), clientSecret: 'x' }
        for (let i = 0; i < 10; i++) await server.token(wrong, {})
        return server.token(wrong, {})
      },
    ),
    row(
      'method_not_allowed',
      405,
      { error: 'invalid_request', reason: 'Method not allowed', code: 405 },
      () => read(server.http('/oauth/token')),
    ),
  ]

  test.each(rows.map((row) => [`${row.body.error} ${row.body.code ?? ''}`.trim(), row] as const))(
    '%s: the body, the status and the headers of the table',
    async (_, { name, status, body, provoke }) => {
      const answer = await provoke()
      expect(answer.status).toBe(status)
      const { error_description, ...rest } = answer.body
      expect(rest).toEqual(body)
      // RFC 6749 §5.2: a sentence, in the characters that it may have.
      expect(error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{20,300}$/)
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('pragma')).toBe('no-cache')
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      const isChallenged = status === 401 && name !== 'credentials_missing'
      expect(answer.headers.get('www-authenticate')).toBe(
        isChallenged ? 'Basic realm="skillpass"' : null,
      )
      expect(answer.headers.get('retry-after')).toBe(status === 429 ? '60' : null)
    },
  )

  test('of the contract are all provoked here, but faults, unknown addresses and those sent by redirect', () => {
    const elsewhere = ['nothing_here', 'server_error', 'temporarily_unavailable']
    const provoked = [...rows.map(({ name }) => name), ...elsewhere, 'unsupported_response_type']
    expect(provoked.sort()).toEqual(Object.keys(oauthErrors).sort())
  })
})
