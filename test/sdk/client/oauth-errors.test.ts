import * as sdk from '@skillpass/client'
import { type OAuthErrorName, oauthErrors, platformErrors } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { clientOf, type Reply } from './fixture.ts'
import { app, errorResponse } from './oauth-fixture.ts'

/** Returns the error of a token request with this response. */
async function oauthErrorOf(reply: Reply): Promise<unknown> {
  const { oauth } = await clientOf(() => reply, { ...app, retries: 0 })
  return oauth.token({ body: { grant_type: 'client_credentials' } }).catch((error) => error)
}

/** Returns the error of a platform call with this response. */
async function platformErrorOf(reply: Reply): Promise<unknown> {
  const { platform } = await clientOf(() => reply, { accessToken: 'sat_1', retries: 0 })
  return platform.users.get({ params: { userId: 'me' } }).catch((error) => error)
}

const names = Object.keys(oauthErrors) as OAuthErrorName[]

test.each(names)('the OAuth error %s has its code, number, reason and a remedy', async (name) => {
  const row = oauthErrors[name]
  const error = await oauthErrorOf({ ...errorResponse(name), headers: { 'x-request-id': 'r-1' } })
  expect(error).toBeInstanceOf(sdk.OAuthRequestError)
  expect(error).toBeInstanceOf(sdk.SkillpassError)
  expect(error).toMatchObject({
    code: row.error,
    number: 'code' in row ? row.code : undefined,
    reason: 'reason' in row ? row.reason : undefined,
    status: row.status,
    message: row.description,
    requestId: 'r-1',
    remedy: expect.stringMatching(/^[A-Z`].*\.$/),
  })
})

test.each([
  ['access_denied', sdk.AccessDeniedError],
  ['authorization_pending', sdk.AuthorizationPendingError],
  ['slow_down', sdk.SlowDownError],
  ['expired_token', sdk.DeviceCodeExpiredError],
  ['scopes_lost', sdk.AuthorizeAgainError],
  ['grant_ended', sdk.AuthorizeAgainError],
  ['invalid_grant', sdk.AuthorizeAgainError],
] as const)('the OAuth error %s has its class', async (name, type) => {
  const error = await oauthErrorOf(errorResponse(name))
  expect(error).toBeInstanceOf(type)
  expect(error).toMatchObject({ name: type.name })
})

test('an unknown OAuth error keeps its code and number', async () => {
  const body = { error: 'constructor', code: 4799, reason: 'New' }
  const error = await oauthErrorOf({ status: 400, body })
  expect(error).toMatchObject({ name: 'OAuthRequestError', code: 'constructor', number: 4799 })
  expect(error).toMatchObject({ message: 'constructor', remedy: 'See the message.' })
})

test.each([
  ['of the registry', { error: { code: 'NOT_FOUND', message: 'No.' } }],
  ['of a proxy', { error: 'Bad Gateway', statusCode: 502 }],
  ['of the resource API', { code: 124, message: 'No.' }],
])('an error response %s throws UnexpectedResponseError', async (_, body) => {
  expect(await oauthErrorOf({ status: 400, body })).toBeInstanceOf(sdk.UnexpectedResponseError)
})

test.each(Object.entries(platformErrors))('error %s has its number and remedy', async (_, row) => {
  const { status, code: number, message } = row
  const error = await platformErrorOf({ status, body: { code: number, message } })
  expect(error).toBeInstanceOf(sdk.PlatformRequestError)
  expect(error).toMatchObject({ code: `${number}`, number, status, message, errors: [] })
  expect(error).toMatchObject({ remedy: expect.not.stringMatching('See the message') })
  expect(error instanceof sdk.AccessTokenError).toBe(status === 401)
  expect(error instanceof sdk.MissingScopeError).toBe(number === 4711)
})

test('a platform error keeps the message about scopes, and the fields to change', async () => {
  const message = 'Invalid access token, does not contain scopes:[user:read:user].'
  expect(await platformErrorOf({ status: 403, body: { code: 4711, message } })).toMatchObject({
    name: 'MissingScopeError',
    message,
  })
  const errors = [{ field: 'topic', message: 'required' }]
  const body = { code: 300, message: 'Validation Failed.', errors }
  expect(await platformErrorOf({ status: 400, body })).toMatchObject({ errors })
})
