import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { startService } from './oauth-service.ts'

const service = await startService({ AUTHORIZATION_RESPONSE_ISS: 'on' })

const configure = (name: string) => {
  const { clientId, clientSecret } = service.app(name)
  return client.discovery(new URL(service.url), clientId, clientSecret, undefined, {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  })
}

test('openid-client discovers, authorizes with PKCE, checks the issuer, refreshes and revokes', async () => {
  const config = await configure('Scheduler')
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'user:read:user',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  })
  const back = await service.allow(url)
  expect(back.searchParams.get('iss')).toBe(service.url)
  const checks = { pkceCodeVerifier, expectedState }
  const first = await client.authorizationCodeGrant(config, back, checks)
  expect(first.scope).toBe('user:read:user')
  const second = await client.refreshTokenGrant(config, first.refresh_token ?? '')
  expect((await service.me(second.access_token)).status).toBe(200)
  await expect(client.refreshTokenGrant(config, first.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
  await client.tokenRevocation(config, second.refresh_token ?? '')
  expect((await service.me(second.access_token)).status).toBe(401)
})

test('openid-client gets an account token with its generic grant request', async () => {
  const config = await configure('Reporter')
  const account = { account_id: service.accountId }
  const tokens = await client.genericGrantRequest(config, 'account_credentials', account)
  expect(tokens.refresh_token).toBeUndefined()
  expect((await service.me(tokens.access_token)).status).toBe(200)
})

test('openid-client starts a device grant and receives tokens after approval', async () => {
  const config = await configure('Scheduler')
  const device = await client.initiateDeviceAuthorization(config, {})
  await service.allowDevice(device.user_code)
  const now = { ...device, interval: 0 }
  const tokens = await client.pollDeviceAuthorizationGrant(config, now)
  expect((await service.me(tokens.access_token)).status).toBe(200)
})
