import type { CallOptions } from './call.ts'
import { send, type Wire, type WireAnswer, type WireRequest } from './transport.ts'

/** An app as it signs in: with its secret, or as a public client by its id alone. */
export interface AppCredentials {
  readonly clientId: string
  readonly clientSecret: string | undefined
}

/** Gives access tokens, and renews them in time. */
export interface AccessTokenSource {
  /**
   * A token that is good now.
   *
   * @param refused a token that the API refused although its time is not over: another is wanted.
   */
  getToken(refused?: string): Promise<string>
}

/** An access token as it is, a function that gives one, or a source such as `accountToken`. */
export type AccessToken = string | (() => string | Promise<string>) | AccessTokenSource

/** The credentials of an app, checked. */
export function appCredentials(
  clientId: string | undefined,
  clientSecret: string | undefined,
): AppCredentials | undefined {
  for (const [name, value] of Object.entries({ clientId, clientSecret })) {
    // The value stays out of the message: a secret in the place of an id would land in a log.
    if (value !== undefined && !/^[A-Za-z0-9_-]+$/.test(value)) {
      throw new TypeError(`${name} must consist of letters, digits, "_" and "-".`)
    }
  }
  if (clientId !== undefined) return { clientId, clientSecret }
  if (clientSecret !== undefined) throw new TypeError('clientSecret needs a clientId.')
  return undefined
}

/** A source of whatever form the caller has. */
export function accessTokenSource(token: AccessToken | undefined): AccessTokenSource | undefined {
  if (token === undefined) return undefined
  if (typeof token === 'string') return { getToken: async () => token }
  return typeof token === 'function' ? { getToken: async () => token() } : token
}

/**
 * Sends a request with an access token. A 401 was refused before it was acted on: where the source
 * has another token then, the request is sent once more.
 */
export async function sendWithToken(
  wire: Wire,
  request: WireRequest,
  source: AccessTokenSource,
  options: CallOptions,
): Promise<WireAnswer> {
  const tokenFor = (refused?: string) =>
    untilAborted(() => source.getToken(refused), options.signal)
  const sendAs = (token: string) => {
    request.headers.set('authorization', `Bearer ${token}`)
    return send(wire, request, options)
  }
  const token = await tokenFor()
  const answer = await sendAs(token)
  if (answer.status !== 401) return answer
  const other = await tokenFor(token)
  return other === token ? answer : sendAs(other)
}

/** Ends the waiting, not the work: other callers may wait for the same token. */
function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    const end = () => signal?.removeEventListener('abort', abort)
    work().then(resolve, reject).finally(end)
  })
}
