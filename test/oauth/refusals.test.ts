import { type OAuthErrorEntry, type OAuthErrorName, oauthErrors } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { type Answer, read, startOAuthServer } from '../support/oauth-server.ts'

test('every error_description is a sentence in the characters that RFC 6749 §5.2 allows', () => {
  for (const { description } of Object.values(oauthErrors)) {
    expect(description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{20,300}$/)
  }
})

const server = await startOAuthServer()
const bot = server.app('Helper bot')
const wrong = { ...server.app('Strict'), clientSecret: 'x' }
const answers: [OAuthErrorName, () => Promise<Answer>][] = [
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
test.each(answers)('the error %s has its body and its headers', async (name, ask) => {
  const { status, headers, body } = await ask()
  const { description, status: declared, ...entry }: OAuthErrorEntry = oauthErrors[name]
  const { error_description, ...rest } = body
  expect([status, rest]).toEqual([declared, entry])
  expect(error_description).not.toBe('')
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('pragma')).toBe('no-cache')
  expect(headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)
  const isChallenged = status === 401 && name !== 'credentials_missing'
  expect(headers.get('www-authenticate')).toBe(isChallenged ? 'Basic realm="skillpass"' : null)
  expect(headers.get('retry-after')).toBe(status === 429 ? '60' : null)
})
