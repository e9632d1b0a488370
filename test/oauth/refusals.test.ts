import { type OAuthErrorName, oauthErrors } from '@skillpass/contract'
import { removeAddedApp } from '@skillpass/server/oauth/added-apps'
import { decideApproval } from '@skillpass/server/oauth/approvals'
import { findUserByEmail } from '@skillpass/server/platform/store/users'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { appOf, declare } from '../support/oauth/acme.ts'
import {
  type Answer,
  codeOf,
  decide,
  exchange,
  grantOf,
  poll,
  post,
  refresh,
  startScene,
  token,
} from '../support/oauth/drive.ts'

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

describe.each(engines)('refusals of the authorization service on %s', async (engine) => {
  const server = await startScene({ engine })
  const scheduler = server.app('Scheduler')
  const bot = server.app('Helper bot')
  const userOf = async (email: string) => {
    const user = await findUserByEmail(server.ctx.db.read, email)
    if (!user) throw new Error(`There is no user ${email}.`)
    return user
  }
  const device = async () => {
    const { clientId: client_id } = scheduler
    return (await post(server, '/oauth/devicecode', { client_id }, { app: scheduler })).body
  }
  const invalidGrant = { error: 'invalid_grant' }

  const rows: Row[] = [
    {
      name: 'invalid_client',
      status: 401,
      body: { error: 'invalid_client', reason: 'Invalid client', code: 4702 },
      provoke: () => token(server, { ...bot, clientSecret: 'x' }, { grant_type: 'refresh_token' }),
    },
    {
      name: 'client_mismatch',
      status: 401,
      body: { error: 'invalid_client', reason: 'Invalid client', code: 4704 },
      provoke: () => token(server, bot, { client_id: scheduler.clientId }),
    },
    {
      name: 'unsupported_grant_type',
      status: 400,
      body: { error: 'unsupported_grant_type', reason: 'Grant type not supported', code: 4705 },
      provoke: () => token(server, bot, { grant_type: 'password' }),
    },
    {
      name: 'credentials_missing',
      status: 401,
      body: { error: 'invalid_client', reason: 'Client ID or secret missing', code: 4706 },
      provoke: () => token(server, undefined, { grant_type: 'client_credentials' }),
    },
    {
      name: 'redirect_uri_mismatch',
      status: 400,
      body: { ...invalidGrant, reason: 'Redirect URI mismatch', code: 4709 },
      provoke: async () =>
        exchange(server, scheduler, await codeOf(server, scheduler), { redirect_uri: 'x' }),
    },
    {
      name: 'scopes_lost',
      status: 400,
      body: { ...invalidGrant, reason: 'Refresh token invalid', code: 4711 },
      provoke: async () => {
        const app = { name: 'Loser', account: 'Acme', type: 'general' } as const
        const redirectUris = ['http://127.0.0.1:8090/callback']
        const scopes = ['user:read:user', 'user:update:user']
        const made = await declare(server, { apps: [{ ...app, redirectUris, scopes }] })
        const { clientId = '', clientSecret = '' } = made.apps[0]?.production ?? {}
        const { refresh_token } = await grantOf(server, { clientId, clientSecret })
        await declare(server, { apps: [{ ...app, scopes: ['user:read:user'] }] })
        return refresh(server, { clientId, clientSecret }, refresh_token)
      },
    },
    {
      name: 'app_disabled',
      status: 400,
      body: { error: 'unauthorized_client', reason: 'App has been disabled', code: 4717 },
      provoke: () => refresh(server, server.app('Off'), 'x'),
    },
    {
      name: 'code_expired',
      status: 400,
      body: { ...invalidGrant, reason: 'Code is expired', code: 4733 },
      provoke: async () => {
        const code = await codeOf(server, scheduler)
        server.clock.advance(301_000)
        return exchange(server, scheduler, code)
      },
    },
    {
      name: 'code_invalid',
      status: 400,
      body: { ...invalidGrant, reason: 'Invalid authorization code', code: 4734 },
      provoke: () => exchange(server, scheduler, 'x'),
    },
    {
      name: 'owner_missing',
      status: 400,
      body: { ...invalidGrant, reason: 'Owner of token does not exist', code: 4735 },
      provoke: () => refresh(server, scheduler, 'x'),
    },
    {
      name: 'app_not_public',
      status: 400,
      body: { ...invalidGrant, reason: 'App is not public' },
      provoke: async () => {
        const app = { name: 'Withdrawn', account: 'Acme', type: 'general' } as const
        const redirectUris = ['http://127.0.0.1:8090/callback']
        const settings = { redirectUris, scopes: ['user:read:user'], visibility: 'public' } as const
        const made = await declare(server, { apps: [{ ...app, ...settings }] })
        const { clientId = '', clientSecret = '' } = made.apps[0]?.production ?? {}
        const email = 'member@other.test'
        const { refresh_token } = await grantOf(server, { clientId, clientSecret }, { email })
        await declare(server, { apps: [{ ...app, visibility: 'private' }] })
        return refresh(server, { clientId, clientSecret }, refresh_token)
      },
    },
    {
      name: 'approval_withdrawn',
      status: 400,
      body: { ...invalidGrant, reason: 'Approval has been withdrawn', code: 4738 },
      provoke: async () => {
        await declare(server, { accounts: [{ name: 'Careful', approvedApps: ['Scheduler'] }] })
        const { refresh_token } = await grantOf(server, scheduler, {
          email: 'member@careful.test',
        })
        const { id } = appOf(server.applied, 'Scheduler')
        await decideApproval(server.ctx, await userOf('admin@careful.test'), id, 'withdrawn')
        return refresh(server, scheduler, refresh_token)
      },
    },
    {
      name: 'grant_ended',
      status: 400,
      body: { ...invalidGrant, reason: 'Token has been revoked', code: 4741 },
      provoke: async () => {
        const email = 'owner@acme.test'
        const { refresh_token } = await grantOf(server, scheduler, { email })
        const { id } = appOf(server.applied, 'Scheduler')
        await removeAddedApp(server.ctx, await userOf(email), id)
        return refresh(server, scheduler, refresh_token)
      },
    },
    {
      name: 'invalid_grant',
      status: 400,
      body: { ...invalidGrant, reason: 'Invalid grant' },
      provoke: () => poll(server, scheduler, 'x'),
    },
    {
      name: 'unauthorized_client',
      status: 400,
      body: { error: 'unauthorized_client', reason: 'Unauthorized client' },
      provoke: () => token(server, scheduler, { grant_type: 'client_credentials' }),
    },
    {
      name: 'invalid_scope',
      status: 400,
      body: { error: 'invalid_scope', reason: 'Invalid scope' },
      provoke: () => token(server, bot, { grant_type: 'client_credentials', scope: 'x' }),
    },
    {
      name: 'invalid_request',
      status: 400,
      body: { error: 'invalid_request', reason: 'Invalid request', code: 300 },
      provoke: () => token(server, bot, {}),
    },
    {
      name: 'authorization_pending',
      status: 400,
      body: { error: 'authorization_pending' },
      provoke: async () => poll(server, scheduler, (await device()).device_code),
    },
    {
      name: 'slow_down',
      status: 400,
      body: { error: 'slow_down' },
      provoke: async () => {
        const { device_code } = await device()
        await poll(server, scheduler, device_code)
        return poll(server, scheduler, device_code)
      },
    },
    {
      name: 'access_denied',
      status: 400,
      body: { error: 'access_denied' },
      provoke: async () => {
        const { device_code, user_code } = await device()
        await decide(server, user_code, { allow: false })
        return poll(server, scheduler, device_code)
      },
    },
    {
      name: 'expired_token',
      status: 400,
      body: { error: 'expired_token' },
      provoke: async () => {
        const { device_code } = await device()
        server.clock.advance(900_000)
        return poll(server, scheduler, device_code)
      },
    },
    {
      name: 'too_many_requests',
      status: 429,
      body: { error: 'temporarily_unavailable', reason: 'Too many requests', code: 429 },
      provoke: async () => {
        const wrong = { ...server.app('Strict'), clientSecret: 'x' }
        for (let i = 0; i < 10; i++) await token(server, wrong, {})
        return token(server, wrong, {})
      },
    },
    {
      name: 'method_not_allowed',
      status: 405,
      body: { error: 'invalid_request', reason: 'Method not allowed', code: 405 },
      provoke: async () => {
        const { status, headers, ...rest } = await server
          .http('/oauth/token')
          .then(async (one) => ({
            status: one.status,
            headers: one.headers,
            text: await one.text(),
          }))
        return { status, headers, text: rest.text, body: JSON.parse(rest.text) }
      },
    },
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
