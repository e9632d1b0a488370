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
