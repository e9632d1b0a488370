import { type OAuthErrorEntry, type OAuthErrorName, oauthErrors } from '@skillpass/contract'
import { describe, expect, test } from 'vitest'
import { type Answer, read, startOAuthServer } from '../support/oauth-server.ts'

/** Faults and the errors of redirects have their tests elsewhere. */
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
  test.each(errors)(
    'the error %s is %s with the reason of the specification',
    (name, as, reason) => {
      const entry: OAuthErrorEntry = oauthErrors[name]
      const { status, error, code = '' } = entry
      expect([`${status} ${error} ${code}`.trim(), entry.reason]).toEqual([as, reason])
      // RFC 6749 §5.2: a sentence, in the characters that it may have.
      expect(entry.description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{20,300}$/)
    },
  )

  const server = await startOAuthServer()
  const bot = server.app('Helper bot')
  const wrong = { ...server.app('Strict'), clientSecret: 'x' }
  const answers: [ErrorName, () => Promise<Answer>][] = [
    ['invalid_client', () => server.token({ ...bot, clientSecret: 'x' }, {})],
    ['credentials_missing', () => server.token(undefined, { grant_type: 'client_credentials' })],
    ['unsupported_grant_type', () => server.token(bot, { grant_type: 'password' })],
    ['invalid_scope', () => server.token(bot, { grant_type: 'client_credentials', scope: 'x' })],
    ['owner_missing', () => server.refresh(server.app('Scheduler'), 'x')],
    ['app_disabled', () => server.refresh(server.app('Off'), 'x')],
    ['method_not_allowed', () => read(server.http('/oauth/token'))],
    [
      'too_many_requests',
      async () => {
        for (let i = 0; i < 10; i++) await server.token(wrong, {})
        return server.token(wrong, {})
      },
    ],
  ]
  test.each(answers)(
    'the error %s is answered with its body and its headers',
    async (name, ask) => {
      const { status, headers, body } = await ask()
      const { description, status: declared, ...entry }: OAuthErrorEntry = oauthErrors[name]
      const { error_description, ...rest } = body
      expect([status, rest]).toEqual([declared, entry])
      expect(error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{20,300}$/)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('pragma')).toBe('no-cache')
      expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
      const isChallenged = status === 401 && name !== 'credentials_missing'
      expect(headers.get('www-authenticate')).toBe(isChallenged ? 'Basic realm="skillpass"' : null)
      expect(headers.get('retry-after')).toBe(status === 429 ? '60' : null)
    },
  )
})
