import { CallbackError, IssuerMismatchError, oauthError, StateMismatchError } from './errors.ts'

/** What an answer at the redirect address must fit. */
export interface Expected {
  readonly state: string
  readonly issuer: string
}

/**
 * The code of the answer at the redirect address (RFC 6749 §4.1.2). `state` is compared before
 * anything else is believed, `iss` where it is present (RFC 9207 §2.4).
 *
 * @throws StateMismatchError, IssuerMismatchError, CallbackError; the error that the answer tells.
 */
export function codeOf(answer: URLSearchParams, { state, issuer }: Expected): string {
  const parameter = (name: string) => {
    const [value, ...more] = answer.getAll(name)
    if (more.length === 0) return value
    throw new CallbackError({ message: `The callback has ${name} more than once.` })
  }
  // An empty state is that of an app that has lost its own, and would equal a forged one.
  if (state === '' || parameter('state') !== state) {
    const message = 'The callback is not the answer to the request that this browser has made.'
    throw new StateMismatchError({ message })
  }
  const iss = parameter('iss')
  if (iss !== undefined && iss !== issuer) {
    throw new IssuerMismatchError({ message: `The callback comes from ${iss}, not ${issuer}.` })
  }
  const error = parameter('error')
  if (error) {
    const message = parameter('error_description') ?? `The user was sent back with ${error}.`
    throw oauthError({ code: error, message })
  }
  const code = parameter('code')
  if (!code) throw new CallbackError({ message: 'The callback has neither code nor error.' })
  return code
}
