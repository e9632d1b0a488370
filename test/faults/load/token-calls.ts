import { callback } from '../../support/oauth/acme.ts'
import type { Http, SceneApp } from './scene.ts'

/** What a server answered an app. */
export interface Answer {
  status: number
  headers: Headers
  body: Record<string, unknown>
}

/** A POST of an app to the authorization service. */
export async function post(
  server: Http,
  app: SceneApp,
  path: string,
  parameters: Record<string, string>,
): Promise<Answer> {
  const { authorization } = app
  const body = new URLSearchParams(parameters)
  return read(await server.http(path, { method: 'POST', headers: { authorization }, body }))
}

const token = (server: Http, app: SceneApp, parameters: Record<string, string>) =>
  post(server, app, '/oauth/token', parameters)

export const exchange = (server: Http, app: SceneApp, code: string) =>
  token(server, app, { grant_type: 'authorization_code', code, redirect_uri: callback })

export const refresh = (server: Http, app: SceneApp, refreshToken: string) =>
  token(server, app, { grant_type: 'refresh_token', refresh_token: refreshToken })

export const poll = (server: Http, app: SceneApp, deviceCode: string) =>
  token(server, app, {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
  })

export const accountToken = (server: Http, app: SceneApp, accountId: string) =>
  token(server, app, { grant_type: 'account_credentials', account_id: accountId })

export const revoke = (server: Http, app: SceneApp, token: string) =>
  post(server, app, '/oauth/revoke', { token })

/** A call of the resource API. */
export async function me(server: Http, accessToken: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${accessToken}` }
  return read(await server.http('/v2/users/me', { headers }))
}

/** The tokens of an answer. */
export const tokensOf = ({ body }: Answer) => ({
  access: String(body.access_token),
  refresh: String(body.refresh_token),
})

/** How an answer reads: status, and word and number of a refusal. */
export const wordsOf = ({ status, body }: Pick<Answer, 'status' | 'body'>): string =>
  [status, body.error, body.code].filter((part) => part !== undefined).join(' ')

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isObject = text.startsWith('{')
  const { status, headers } = response
  return { status, headers, body: isObject ? JSON.parse(text) : {} }
}
