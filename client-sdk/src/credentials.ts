import type { CallOptions } from './call.ts'
import { type HttpRequest, type HttpResponse, send, type Transport } from './transport.ts'

/** Credentials of an app. A public client has no secret. */
export interface AppCredentials {
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** Source of access tokens. */
export interface AccessTokenSource {
  /**
   * Returns a valid access token and renews it if necessary.
   *
   * @param refused Token that the API refused before it expired. The source must return a different one.
   */
  getToken(refused?: string): Promise<string>
}

/** An access token, a function that returns one, or a source such as `accountToken`. */
export type AccessToken = string | (() => string | Promise<string>) | AccessTokenSource

/**
 * Returns the credentials of an app; undefined without a client id. Throws TypeError if one is
 * invalid.
 */
export function appCredentials(
  clientId: string | undefined,
  clientSecret: string | undefined,
): AppCredentials | undefined {
  for (const [name, value] of Object.entries({ clientId, clientSecret })) {
    // Do not quote the value: it may be a secret.
    if (value !== undefined && !/^[A-Za-z0-9_-]+$/.test(value)) {
      throw new TypeError(`${name} must consist of letters, digits, "_" and "-".`)
    }
  }
  if (clientId !== undefined) return { clientId, clientSecret }
  if (clientSecret !== undefined) throw new TypeError('clientSecret requires clientId.')
  return undefined
}

export function accessTokenSource(token: AccessToken | undefined): AccessTokenSource | undefined {
  if (token === undefined) return undefined
  if (typeof token === 'string') return { getToken: async () => token }
  return typeof token === 'function' ? { getToken: async () => token() } : token
}

/**
 * Sends a request with an access token. After 401, sends it once more if the source has a different
 * token. This is safe because the API rejects such a request before processing it.
 */
export async function sendWithToken(
  transport: Transport,
  request: HttpRequest,
  source: AccessTokenSource,
  options: CallOptions,
): Promise<HttpResponse> {
  const tokenFor = (refused?: string) =>
    untilAborted(() => source.getToken(refused), options.signal)
  const sendAs = (token: string) => {
    request.headers.set('authorization', `Bearer ${token}`)
    return send(transport, request, options)
  }
  const token = await tokenFor()
  const response = await sendAs(token)
  if (response.status !== 401) return response
  const other = await tokenFor(token)
  return other === token ? response : sendAs(other)
}

/** Stops waiting when the signal aborts. The work continues, since other callers may share it. */
function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    const end = () => signal?.removeEventListener('abort', abort)
    work().then(resolve, reject).finally(end)
  })
}
