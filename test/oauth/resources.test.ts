import { basicScopes, isScope } from '@skillpass/contract'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import {
  apiUrl,
  authorizeQuery,
  authUrl,
  member,
  read,
  refusal,
  startOAuthServer,
  tokensOf,
} from '../support/oauth-server.ts'

const mcp = `${apiUrl}/v2/mcp`
const invalid = '400 invalid_target'

describe.each(engines)('resources on %s', async (engine) => {
  const server = await startOAuthServer({ engine })
  const scheduler = server.app('Scheduler')
  const audienceOf = async (token: string, app = scheduler) =>
    (await server.post('/oauth/introspect', { token }, { app })).body.aud

  test('the resource of the authorization request binds its tokens and those of every refresh', async () => {
    const first = await server.grantOf(scheduler, { resource: mcp })
    const second = tokensOf(await server.refresh(scheduler, first.refresh_token))
    const more = { resource: mcp }
    const third = tokensOf(await server.refresh(scheduler, second.refresh_token, more))
    for (const { access_token } of [first, second, third]) {
      expect(await audienceOf(access_token)).toBe(mcp)
      expect((await server.me(access_token)).status).toBe(401)
    }
    expect(await audienceOf(third.refresh_token)).toBe(mcp)
  })

  test('a token request for another resource is refused, and the code and the refresh token stay valid', async () => {
    for (const [resource, other] of [
      [mcp, `${apiUrl}/v2`],
      [`${apiUrl}/v2`, mcp],
    ] as const) {
      const code = await server.codeOf(scheduler, { resource })
      for (const wrong of [other, 'http://other.test']) {
        const refused = await server.exchange(scheduler, code, { resource: wrong })
        expect(refusal(refused)).toBe(invalid)
      }
      const { refresh_token } = tokensOf(await server.exchange(scheduler, code, { resource }))
      for (const wrong of [other, 'http://other.test']) {
        const refused = await server.refresh(scheduler, refresh_token, { resource: wrong })
        expect(refusal(refused)).toBe(invalid)
      }
      tokensOf(await server.refresh(scheduler, refresh_token, { resource }))
    }
  })

  test('the other grant types bind a token to the resource of the token request', async () => {
    const reporter = server.app('Reporter')
    const bot = server.app('Helper bot')
    const device = await server.deviceCodeOf(scheduler)
    await server.approveDevice(String(device.body.user_code), member)
    const device_code = String(device.body.device_code)
    const requests = [
      [reporter, { grant_type: 'account_credentials', account_id: server.accountId('Acme') }],
      [bot, { grant_type: 'client_credentials' }],
      [scheduler, { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code }],
    ] as const
    for (const [app, request] of requests) {
      const refused = await server.token(app, { ...request, resource: 'http://other.test' })
      expect(refusal(refused)).toBe(invalid)
      const tokens = tokensOf(await server.token(app, { ...request, resource: mcp }))
      expect(await audienceOf(tokens.access_token, app)).toBe(mcp)
      expect((await server.me(tokens.access_token)).status).toBe(401)
    }
  })
})

const server = await startOAuthServer()
const scheduler = server.app('Scheduler')
const errorOf = async (query: string) => {
  const { headers } = await read(server.http(`/oauth/authorize?${query}`))
  return new URL(headers.get('location') ?? '').searchParams
}

test.each([
  ['no resource', undefined, apiUrl],
  ['an empty resource', '', apiUrl],
  ['the address of the resource API', apiUrl, apiUrl],
  ['its path', `${apiUrl}/v2/`, apiUrl],
  ['the MCP server in another spelling', 'HTTP://API.test:80/v2/mcp/', mcp],
  ['the alias of the MCP server', `${apiUrl}/mcp/meeting/streamable`, mcp],
])('a token for %s has this aud: %s, %s', async (_, resource, aud) => {
  const { access_token: token } = await server.grantOf(
    scheduler,
    resource === undefined ? {} : { resource },
  )
  const { body } = await server.post('/oauth/introspect', { token }, { app: scheduler })
  expect(body.aud).toBe(aud)
  expect((await server.me(token)).status).toBe(aud === mcp ? 401 : 200)
})

test.each([
  ['another host', 'http://other.test/v2/mcp'],
  ['another path', `${apiUrl}/v2/users`],
  ['a fragment', `${mcp}#`],
  ['a query', `${mcp}?x`],
  ['a user name', mcp.replace('//', '//user@')],
  ['a relative reference', '/v2/mcp'],
])('a resource with %s is redirected as invalid_target before the sign-in', async (_, resource) => {
  const back = await errorOf(authorizeQuery(scheduler, { resource, state: 's' }))
  expect([back.get('error'), back.get('state')]).toEqual(['invalid_target', 's'])
  expect(back.get('error_description')).toBe(`resource must be ${apiUrl}/v2 or ${mcp}.`)
})

test('a repeated resource is redirected as invalid_request', async () => {
  const resource = encodeURIComponent(mcp)
  const back = await errorOf(`${authorizeQuery(scheduler, { resource: mcp })}&resource=${resource}`)
  expect(back.get('error')).toBe('invalid_request')
  expect(back.get('error_description')).toBe('resource must appear only once.')
})

test('a token for the MCP server opens nothing at the resource API, and the error names the right resource', async () => {
  const { access_token } = await server.grantOf(scheduler, { resource: mcp })
  const { status, body, headers } = await server.me(access_token)
  expect(status).toBe(401)
  expect(body).toEqual({
    code: 124,
    message: `Access token is for another resource. Request one with resource=${apiUrl}.`,
  })
  expect(headers.get('www-authenticate')).toBe('Bearer realm="skillpass", error="invalid_token"')
})

test.each([
  ['', 'Resource API'],
  ['/v2', 'Resource API'],
  ['/v2/mcp', 'MCP server'],
  ['/mcp/meeting/streamable', 'MCP server'],
])('the metadata at %j names the resource, its service and basic scopes', async (path, name) => {
  const answer = await read(server.http(`/.well-known/oauth-protected-resource${path}`))
  expect(answer.body).toEqual({
    resource: apiUrl + path,
    authorization_servers: [authUrl],
    scopes_supported: basicScopes,
    bearer_methods_supported: ['header'],
    resource_name: `${name} of the meeting platform`,
    resource_documentation: 'http://skillpass.test/docs',
  })
  expect(basicScopes.every(isScope)).toBe(true)
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
})

test('there is no metadata for other resources, and none can be changed', async () => {
  const path = '/.well-known/oauth-protected-resource'
  const unknown = await read(server.http(`${path}/v2/users`))
  expect([unknown.status, unknown.body.code]).toEqual([404, 404])
  const changed = await read(server.http(`${path}/v2`, { method: 'POST' }))
  expect([changed.status, changed.body.code]).toEqual([405, 405])
})
