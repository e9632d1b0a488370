/** Programs that use generated clients. Each does the same, without a cast, and prints it by `report`. */

export const setup = `
export const [, , baseUrl = '', clientId = '', clientSecret = '', code = '', redirectUri = ''] = process.argv
export const [apiKey = '', sha256 = ''] = process.argv.slice(7)
export const basic = { Authorization: \`Basic \${btoa(\`\${clientId}:\${clientSecret}\`)}\` }
export const bearer = { Authorization: \`Bearer \${apiKey}\` }
export const text = 'hello'

interface Answers {
  refreshed: { scope: string; expires_in: number } | undefined
  before: { active: boolean } | undefined
  revoked: { status: string } | undefined
  after: { active: boolean } | undefined
  device: { user_code: string } | undefined
  uploaded: { data: { digest: string; size: number } } | undefined
}

export function report({ refreshed, before, revoked, after, device, uploaded }: Answers) {
  const hasCode = /^[A-Z]{4}-[A-Z]{4}$/.test(device?.user_code ?? '')
  const states = [before?.active, revoked?.status, after?.active]
  console.log(refreshed?.expires_in, ...states, hasCode, uploaded?.data.size)
}
`

/** What every program prints. */
export const printed = '3600 true success false true 5\n'

export const openapiFetchProgram = `
import createClient from 'openapi-fetch'
import type { paths } from './openapi-typescript'
import { baseUrl, basic, bearer, clientId, code, redirectUri, report, sha256, text } from './setup'

const client = createClient<paths>({ baseUrl })
const headers = { ...basic, 'Content-Type': 'application/x-www-form-urlencoded' }
const issued = await client.POST('/oauth/token', {
  headers,
  body: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
})
const { data: refreshed } = await client.POST('/oauth/token', {
  headers,
  body: { grant_type: 'refresh_token', refresh_token: issued.data?.refresh_token ?? '' },
})
const body = { token: refreshed?.access_token ?? '' }
const { data: before } = await client.POST('/oauth/introspect', { headers, body })
const { data: revoked } = await client.POST('/oauth/revoke', { headers, body })
const { data: after } = await client.POST('/oauth/introspect', { headers, body })
const { data: device } = await client.POST('/oauth/devicecode', { headers, body: { client_id: clientId } })
const { data: uploaded } = await client.PUT('/api/v1/blobs/{sha256}', {
  params: { path: { sha256 } },
  headers: { ...bearer, 'Content-Type': 'application/octet-stream' },
  body: text,
  bodySerializer: (bytes) => new Blob([bytes]),
})
report({ refreshed, before, revoked, after, device, uploaded })

export const incomplete = () =>
  // @ts-expect-error a refresh token is required
  client.POST('/oauth/token', { headers, body: { grant_type: 'refresh_token' } })
`

export const heyApiProgram = `
import { oauthDevice, oauthIntrospect, oauthRevoke, oauthToken, registryBlobsUpload } from './hey-api'
import { client } from './hey-api/client.gen'
import { apiKey, baseUrl, clientId, clientSecret, code, redirectUri, report, sha256, text } from './setup'

client.setConfig({
  baseUrl,
  auth: ({ scheme }) => (scheme === 'basic' ? \`\${clientId}:\${clientSecret}\` : apiKey),
})
const issued = await oauthToken({
  body: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
})
const { data: refreshed } = await oauthToken({
  body: { grant_type: 'refresh_token', refresh_token: issued.data?.refresh_token ?? '' },
})
const body = { token: refreshed?.access_token ?? '' }
const { data: before } = await oauthIntrospect({ body })
const { data: revoked } = await oauthRevoke({ body })
const { data: after } = await oauthIntrospect({ body })
const { data: device } = await oauthDevice({ body: { client_id: clientId } })
const { data: uploaded } = await registryBlobsUpload({ path: { sha256 }, body: new Blob([text]) })
report({ refreshed, before, revoked, after, device, uploaded })

// @ts-expect-error a refresh token is required
export const incomplete = () => oauthToken({ body: { grant_type: 'refresh_token' } })
`

/** Clients whose operations are functions of the body and the options. */
const withFunctions = (module: string, start: string) => `
import * as api from './${module}'
import { baseUrl, basic, bearer, clientId, code, redirectUri, report, sha256, text } from './setup'

${start}
const form = { headers: basic }
const issued = await api.oauthToken(
  { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
  form,
)
const refreshToken = issued.status === 200 ? issued.data.refresh_token : undefined
const refreshed = await api.oauthToken(
  { grant_type: 'refresh_token', refresh_token: refreshToken ?? '' },
  form,
)
const token = refreshed.status === 200 ? refreshed.data.access_token : ''
const before = await api.oauthIntrospect({ token }, form)
const revoked = await api.oauthRevoke({ token }, form)
const after = await api.oauthIntrospect({ token }, form)
const device = await api.oauthDevice({ client_id: clientId }, form)
const uploaded = await api.registryBlobsUpload(sha256, new Blob([text]), { headers: bearer })
report({
  refreshed: refreshed.status === 200 ? refreshed.data : undefined,
  before: before.status === 200 ? before.data : undefined,
  revoked: revoked.status === 200 ? revoked.data : undefined,
  after: after.status === 200 ? after.data : undefined,
  device: device.status === 200 ? device.data : undefined,
  uploaded: uploaded.status === 200 ? uploaded.data : undefined,
})

// @ts-expect-error a refresh token is required
export const incomplete = () => api.oauthToken({ grant_type: 'refresh_token' }, form)
`

export const typedOpenapiProgram = `
import { baseUrl, basic, bearer, clientId, code, redirectUri, report, sha256, text } from './setup'
import { createApiClient } from './typed-openapi'

const api = createApiClient(
  {
    fetch({ method, url, parameters, overrides }) {
      const { body } = parameters ?? {}
      const sent = typeof body === 'string' ? body : new URLSearchParams(Object.entries(body ?? {}))
      return fetch(url, { ...overrides, method: method.toUpperCase(), body: sent })
    },
  },
  baseUrl,
)
const overrides = { headers: basic }
const issued = await api.post('/oauth/token', {
  body: { grant_type: 'authorization_code', code, redirect_uri: redirectUri },
  overrides,
})
const refreshed = await api.post('/oauth/token', {
  body: { grant_type: 'refresh_token', refresh_token: issued.refresh_token ?? '' },
  overrides,
})
const body = { token: refreshed.access_token }
const before = await api.post('/oauth/introspect', { body, overrides })
const revoked = await api.post('/oauth/revoke', { body, overrides })
const after = await api.post('/oauth/introspect', { body, overrides })
const device = await api.post('/oauth/devicecode', { body: { client_id: clientId }, overrides })
const uploaded = await api.put('/api/v1/blobs/{sha256}', {
  path: { sha256 },
  body: text,
  overrides: { headers: bearer },
})
report({ refreshed, before, revoked, after, device, uploaded })

export const incomplete = () =>
  // @ts-expect-error a refresh token is required
  api.post('/oauth/token', { body: { grant_type: 'refresh_token' }, overrides })
`

export const openapiGeneratorProgram = `
import { Configuration, FilesApi, TokensApi } from './openapi-generator'
import { apiKey, baseUrl, clientId, clientSecret, code, redirectUri, report, sha256, text } from './setup'

const none = undefined
const app = { basePath: baseUrl, username: clientId, password: clientSecret }
const tokens = new TokensApi(new Configuration(app))
const files = new FilesApi(new Configuration({ basePath: baseUrl, accessToken: apiKey }))
const issued = await tokens.oauthToken(
  'authorization_code', none, none, none, none, code, redirectUri,
)
const { data: refreshed } = await tokens.oauthToken(
  'refresh_token', none, none, none, none, none, none, none, issued.data.refresh_token,
)
const token = refreshed.access_token
const { data: before } = await tokens.oauthIntrospect(token)
const { data: { status } } = await tokens.oauthRevoke(token)
const { data: after } = await tokens.oauthIntrospect(token)
const { data: device } = await tokens.oauthDevice(clientId)
const { data: uploaded } = await files.registryBlobsUpload(sha256, text)
report({ refreshed, before, revoked: { status }, after, device, uploaded })
`

export const orvalProgram = withFunctions('orval', '')
export const oazapftsProgram = withFunctions('oazapfts', 'api.defaults.baseUrl = baseUrl')
