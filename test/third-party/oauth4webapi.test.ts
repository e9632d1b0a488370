import * as oauth from 'oauth4webapi'
import { expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { startService } from './oauth-service.ts'

const service = await startService()
const insecure = { [oauth.allowInsecureRequests]: true }
const issuer = new URL(service.authUrl)
const as = await oauth
  .discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  .then((response) => oauth.processDiscoveryResponse(issuer, response))

const { clientId, clientSecret } = service.app('Scheduler')
const client: oauth.Client = { client_id: clientId }

/** Sends the user through the consent page and exchanges the code. */
async function authorize(app: oauth.Client, auth: oauth.ClientAuth) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(as.authorization_endpoint ?? '')
  url.search = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: callback,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }).toString()
  const parameters = oauth.validateAuthResponse(as, app, await service.allow(url), state)
  const response = await oauth.authorizationCodeGrantRequest(
    as,
    app,
    auth,
    parameters,
    callback,
    verifier,
    insecure,
  )
  return oauth.processAuthorizationCodeResponse(as, app, response)
}

const authentications = {
  'Basic, percent-encoded': [client, oauth.ClientSecretBasic(clientSecret)],
  'the secret in the form': [client, oauth.ClientSecretPost(clientSecret)],
  'no secret, as a public client': [{ client_id: service.app('Pocket').clientId }, oauth.None()],
} as const

test.each(Object.entries(authentications))(
  'oauth4webapi discovers, authorizes with PKCE, refreshes and revokes: %s',
  async (_, [app, auth]) => {
    const first = await authorize(app, auth)
    expect(first.expires_in).toBe(3600)
    expect((await service.me(first.access_token)).status).toBe(200)

    const response = await oauth.refreshTokenGrantRequest(
      as,
      app,
      auth,
      first.refresh_token ?? '',
      insecure,
    )
    const second = await oauth.processRefreshTokenResponse(as, app, response)
    expect(second.refresh_token).not.toBe(first.refresh_token)

    await oauth
      .revocationRequest(as, app, auth, second.access_token, insecure)
      .then(oauth.processRevocationResponse)
    expect((await service.me(second.access_token)).status).toBe(401)
  },
)

test('oauth4webapi gets a token for an account with its generic grant', async () => {
  const app = service.app('Reporter')
  const reporter = { client_id: app.clientId }
  const response = await oauth.genericTokenEndpointRequest(
    as,
    reporter,
    oauth.ClientSecretBasic(app.clientSecret),
    'account_credentials',
    { account_id: service.accountId },
    insecure,
  )
  const tokens = await oauth.processGenericTokenEndpointResponse(as, reporter, response)
  expect(tokens.refresh_token).toBeUndefined()
  expect((await service.me(tokens.access_token)).status).toBe(200)
})

test('oauth4webapi reads authorization_pending, slow_down and the tokens of a polled device', async () => {
  const auth = oauth.ClientSecretBasic(clientSecret)
  const device = await oauth
    .deviceAuthorizationRequest(as, client, auth, {}, insecure)
    .then((response) => oauth.processDeviceAuthorizationResponse(as, client, response))
  const poll = async () => {
    const response = await oauth.deviceCodeGrantRequest(
      as,
      client,
      auth,
      device.device_code,
      insecure,
    )
    return oauth.processDeviceCodeResponse(as, client, response)
  }
  await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 })
  await expect(poll()).rejects.toMatchObject({ error: 'slow_down' })
  expect(await service.allowDevice(device.user_code)).toBe(200)
  service.clock.advance(10_000)
  const tokens = await poll()
  expect((await service.me(tokens.access_token)).status).toBe(200)
  await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant' })
})
