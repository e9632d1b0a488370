import { CallbackError, IssuerMismatchError, oauthError, StateMismatchError } from './errors.ts'

/**
 * Returns the code of a callback (RFC 6749 §4.1.2). Checks `state` first, and `iss` if present
 * (RFC 9207 §2.4).
 *
 * @throws StateMismatchError, IssuerMismatchError, CallbackError, or the OAuth error of the callback.
 */
export function codeOf(
  response: URLSearchParams,
  { state, issuer }: { readonly state: string; readonly issuer: string },
): string {
  const parameter = (name: string) => {
    const [value, ...more] = response.getAll(name)
    if (more.length === 0) return value
    throw new CallbackError({ message: `The callback has ${name} more than once.` })
  }
  // An app that has lost its session has an empty state, which must not match a forged empty one.
  if (state === '' || parameter('state') !== state) {
    const message = 'The state of the callback does not match. Start the authorization again.'
    throw new StateMismatchError({ message })
  }
  const iss = parameter('iss')
  if (iss !== undefined && iss !== issuer) {
    throw new IssuerMismatchError({ message: `The callback comes from ${iss}, not ${issuer}.` })
  }
  const error = parameter('error')
  if (error) {
    const message = parameter('error_description') ?? `The authorization failed with ${error}.`
    throw oauthError({ code: error, message })
  }
  const code = parameter('code')
  if (!code) throw new CallbackError({ message: 'The callback has neither code nor error.' })
  return code
}
