import * as client from 'openid-client'
import { expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { startService } from './oauth-service.ts'

const service = await startService({ AUTHORIZATION_RESPONSE_ISS: 'on' })

const configure = (name: string) => {
  const { clientId, clientSecret } = service.app(name)
  return client.discovery(new URL(service.authUrl), clientId, clientSecret, undefined, {
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
  expect(back.searchParams.get('iss')).toBe(service.authUrl)
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

test('openid-client gets tokens for an account with its generic grant and introspects them', async () => {
  const config = await configure('Reporter')
  const parameters = { account_id: service.accountId }
  const tokens = await client.genericGrantRequest(config, 'account_credentials', parameters)
  const answer = await client.tokenIntrospection(config, tokens.access_token)
  expect(answer).toMatchObject({ active: true, account_id: service.accountId })
})

test('openid-client gets a token for a chatbot', async () => {
  const tokens = await client.clientCredentialsGrant(await configure('Helper bot'))
  expect(tokens.scope).toBe('imchat:bot')
})

test('openid-client polls a device, slows down on slow_down and gets its tokens', async () => {
  const config = await configure('Scheduler')
  const device = await client.initiateDeviceAuthorization(config, { scope: 'user:read:user' })
  expect(device.interval).toBe(5)
  // The server's clock stands still, so the second poll comes too soon however long it waited.
  const answers: string[] = []
  config[client.customFetch] = async (input, init) => {
    const answer = await fetch(input, init as RequestInit)
    const { error = 'none' } = (await answer.clone().json()) as { error?: string }
    answers.push(error)
    if (error === 'slow_down') {
      expect(await service.allowDevice(device.user_code)).toBe(200)
      service.clock.advance(10_000)
    }
    return answer
  }
  // The client adds 5 to the interval at slow_down, so it never waits.
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: -5 })
  expect(answers).toEqual(['authorization_pending', 'slow_down', 'none'])
  expect((await service.me(tokens.access_token)).status).toBe(200)
})
