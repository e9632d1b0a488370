import { generateCodeVerifier, OAuth2Client } from '@badgateway/oauth2-client'
import { expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { startService } from './oauth-service.ts'

const service = await startService()
const clientOf = (name: string, authenticationMethod?: 'client_secret_basic_interop') =>
  new OAuth2Client({
    server: service.authUrl,
    discoveryEndpoint: '/.well-known/oauth-authorization-server',
    ...service.app(name),
    ...(authenticationMethod && { authenticationMethod }),
  })

test.each([undefined, 'client_secret_basic_interop'] as const)(
  '@badgateway/oauth2-client discovers, authorizes, refreshes, introspects and revokes: %s',
  async (method) => {
    const client = clientOf('Scheduler', method)
    const codeVerifier = await generateCodeVerifier()
    const state = 'a state/with+signs='
    const url = await client.authorizationCode.getAuthorizeUri({
      redirectUri: callback,
      state,
      codeVerifier,
    })
    const first = await client.authorizationCode.getTokenFromCodeRedirect(
      await service.allow(url),
      { redirectUri: callback, state, codeVerifier },
    )
    const second = await client.refreshToken(first)
    expect((await service.me(second.accessToken)).status).toBe(200)
    expect(await client.introspect(second)).toMatchObject({ active: true })
    await client.revoke(second)
    expect(await client.introspect(second)).toMatchObject({ active: false })
  },
)

test('@badgateway/oauth2-client gets a token for a chatbot', async () => {
  const token = await clientOf('Helper bot').clientCredentials()
  expect(token.refreshToken).toBeNull()
  expect(token.expiresAt).toBeGreaterThan(Date.now())
})

test('@badgateway/oauth2-client reads the error code and the status of a refusal', async () => {
  const client = clientOf('Scheduler')
  await expect(client.clientCredentials()).rejects.toMatchObject({
    oauth2Code: 'unauthorized_client',
    httpCode: 400,
  })
})
