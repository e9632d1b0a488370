import type { OAuthErrorName } from '@skillpass/contract'
import { decideApproval } from '@skillpass/server/apps/approvals'
import { removeAddedApp } from '@skillpass/server/oauth/added-apps'
import { describe, expect, test } from 'vitest'
import { declare, generalApp, makeApp } from '../support/apps.ts'
import { userOf } from '../support/hooked-apps.ts'
import { type Answer, read, refusal, startOAuthServer } from '../support/oauth-server.ts'

/** Faults, unknown addresses and the errors of redirects have their tests elsewhere. */
type ErrorName = Exclude<
  OAuthErrorName,
  'nothing_here' | 'server_error' | 'temporarily_unavailable' | 'unsupported_response_type'
>

/** Every error of the token endpoint: its status, word and code, and its reason. */
const errors: [ErrorName, string, string?][] = [
  ['invalid_client', '401 invalid_client 4702', 'Invalid client'],
  ['client_mismatch', '401 invalid_client 4704', 'Invalid client'],
  ['unsupported_grant_type', '400 unsupported_grant_type 4705', 'Grant type not supported'],
  ['credentials_missing', '401 invalid_client 4706', 'Client ID or secret missing'],
  ['redirect_uri_mismatch', '400 invalid_grant 4709', 'Redirect URI mismatch'],
  ['scopes_lost', '400 invalid_grant 4711', 'Refresh token invalid'],
  ['app_disabled', '400 unauthorized_client 4717', 'App has been disabled'],
  ['code_expired', '400 invalid_grant 4733', 'Code is expired'],
  ['code_invalid', '400 invalid_grant 4734', 'Invalid authorization code'],
  ['owner_missing', '400 invalid_grant 4735', 'Owner of token does not exist'],
  ['app_not_public', '400 invalid_grant', 'App is not public'],
  ['approval_withdrawn', '400 invalid_grant 4738', 'Approval has been withdrawn'],
  ['grant_ended', '400 invalid_grant 4741', 'Token has been revoked'],
  ['invalid_grant', '400 invalid_grant', 'Invalid grant'],
  ['unauthorized_client', '400 unauthorized_client', 'Unauthorized client'],
  ['invalid_scope', '400 invalid_scope', 'Invalid scope'],
  ['invalid_request', '400 invalid_request 300', 'Invalid request'],
  ['authorization_pending', '400 authorization_pending'],
  ['slow_down', '400 slow_down'],
  ['access_denied', '400 access_denied'],
  ['expired_token', '400 expired_token'],
  ['too_many_requests', '429 temporarily_unavailable 429', 'Too many requests'],
  ['method_not_allowed', '405 invalid_request 405', 'Method not allowed'],
]

describe('errors of the authorization service', async () => {
  const server = await startOAuthServer()
  const scheduler = server.app('Scheduler')
  const schedulerId = server.appId('Scheduler')
  const bot = server.app('Helper bot')
  const scopes = ['user:read:user']
  const device = async () => {
    const { clientId: client_id } = scheduler
    return (await server.post('/oauth/devicecode', { client_id }, { app: scheduler })).body
  }

  const requests: Record<ErrorName, () => Promise<Answer>> = {
    invalid_client: () => server.token({ ...bot, clientSecret: 'x' }, {}),
    client_mismatch: () => server.token(bot, { client_id: scheduler.clientId }),
    unsupported_grant_type: () => server.token(bot, { grant_type: 'password' }),
    credentials_missing: () => server.token(undefined, { grant_type: 'client_credentials' }),
    redirect_uri_mismatch: async () =>
      server.exchange(scheduler, await server.codeOf(scheduler), { redirect_uri: 'x' }),
    async scopes_lost() {
      const app = await makeApp(server, 'Loser', [...scopes, 'user:update:user'])
      const { refresh_token } = await server.grantOf(app)
      await declare(server, { apps: [generalApp('Loser', scopes)] })
      return server.refresh(app, refresh_token)
    },
    app_disabled: () => server.refresh(server.app('Off'), 'x'),
    async code_expired() {
      const code = await server.codeOf(scheduler)
      server.clock.advance(301_000)
      return server.exchange(scheduler, code)
    },
    code_invalid: () => server.exchange(scheduler, 'x'),
    owner_missing: () => server.refresh(scheduler, 'x'),
    async app_not_public() {
      const app = await makeApp(server, 'Withdrawn', scopes)
      const { refresh_token } = await server.grantOf(app, { email: 'member@other.test' })
      await declare(server, { apps: [generalApp('Withdrawn', scopes, { visibility: 'private' })] })
      return server.refresh(app, refresh_token)
    },
    async approval_withdrawn() {
      await declare(server, { accounts: [{ name: 'Careful', approvedApps: ['Scheduler'] }] })
      const { refresh_token } = await server.grantOf(scheduler, { email: 'member@careful.test' })
      const admin = await userOf(server, 'admin@careful.test')
      await decideApproval(server.ctx, admin, schedulerId, 'withdrawn')
      return server.refresh(scheduler, refresh_token)
    },
    async grant_ended() {
      const email = 'owner@acme.test'
      const { refresh_token } = await server.grantOf(scheduler, { email })
      await removeAddedApp(server.ctx, await userOf(server, email), schedulerId)
      return server.refresh(scheduler, refresh_token)
    },
    invalid_grant: () => server.poll(scheduler, 'x'),
    unauthorized_client: () => server.token(scheduler, { grant_type: 'client_credentials' }),
    invalid_scope: () => server.token(bot, { grant_type: 'client_credentials', scope: 'x' }),
    invalid_request: () => server.token(bot, {}),
    authorization_pending: async () => server.poll(scheduler, (await device()).device_code),
    async slow_down() {
      const { device_code } = await device()
      await server.poll(scheduler, device_code)
      return server.poll(scheduler, device_code)
    },
    async access_denied() {
      const { device_code, user_code } = await device()
      await server.decide(user_code, { allow: false })
      return server.poll(scheduler, device_code)
    },
    async expired_token() {
      const { device_code } = await device()
      server.clock.advance(900_000)
      return server.poll(scheduler, device_code)
    },
    async too_many_requests() {
      const wrong = { ...server.app('Strict'), clientSecret: 'x' }
      for (let i = 0; i < 10; i++) await server.token(wrong, {})
      return server.token(wrong, {})
    },
    method_not_allowed: () => read(server.http('/oauth/token')),
  }

  test.each(errors)(
    'the error %s is answered with %s and its headers',
    async (name, as, reason) => {
      const answer = await requests[name]()
      expect(refusal(answer)).toBe(as)
      const [status, error, code] = as.split(' ')
      const { error_description, ...rest } = answer.body
      expect(rest).toEqual({
        error,
        ...(reason && { reason }),
        ...(code && { code: Number(code) }),
      })
      // RFC 6749 §5.2: a sentence, in the characters that it may have.
      expect(error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{20,300}$/)
      const { headers } = answer
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('pragma')).toBe('no-cache')
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      const isChallenged = status === '401' && name !== 'credentials_missing'
      expect(headers.get('www-authenticate')).toBe(isChallenged ? 'Basic realm="skillpass"' : null)
      expect(headers.get('retry-after')).toBe(status === '429' ? '60' : null)
    },
  )
  test('every error of the token endpoint is provoked', () => {
    expect(errors.map(([name]) => name).sort()).toEqual(Object.keys(requests).sort())
  })
})
