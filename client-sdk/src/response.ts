import { type SkillpassError, UnexpectedResponseError } from './errors.ts'
import type { ReadRefusal } from './refusals.ts'
import { nameOf, type Route } from './route.ts'
import { retryAfterSeconds, type WireAnswer } from './transport.ts'

/**
 * The body of a success answer, of the media type that the contract declares. Everything else throws:
 * the typed error of the service, or UnexpectedResponseError where something else has answered.
 */
export function bodyOf(route: Route, answer: WireAnswer, readRefusal: ReadRefusal): unknown {
  const declared = typeOf(route, answer, readRefusal)
  if (declared === null) return undefined
  if (declared !== 'application/json') {
    return declared.startsWith('text/') ? textOf(answer) : answer.bytes
  }
  const body = jsonOf(answer)
  if (body === undefined) throw unexpected(route, answer, 'a body that is no JSON')
  return body
}

/** The media type of a success answer, which must be the declared one; JSON says so itself. Throws as `bodyOf` does. */
export function typeOf(route: Route, answer: WireAnswer, readRefusal: ReadRefusal): string | null {
  const success = answer.status >= 200 && answer.status < 300
  if (!success) throw errorOf(route, answer, readRefusal)
  const { [answer.status]: declared = 'application/json' } = route.answers ?? {}
  if (declared === null || declared === 'application/json') return declared
  const type = answer.headers.get('content-type') ?? 'no content type'
  if (type.startsWith(declared)) return declared
  throw unexpected(route, answer, `${type} where ${declared} was due`)
}

function errorOf(route: Route, answer: WireAnswer, readRefusal: ReadRefusal): SkillpassError {
  const { status, headers } = answer
  const body = jsonOf(answer)
  const requestId = headers.get('x-request-id') ?? undefined
  const retryAfter = retryAfterSeconds(headers, Date.now())
  const declared = body !== undefined && route.answers?.[status] !== undefined
  const request = nameOf(route)
  const refusal = readRefusal({ status, request, body, requestId, retryAfter, declared })
  return refusal ?? unexpected(route, answer, 'a body that is not of the contract', retryAfter)
}

function unexpected(route: Route, answer: WireAnswer, what: string, retryAfter?: number) {
  const { status, headers } = answer
  const text = textOf(answer)
  const request = nameOf(route)
  const message =
    `${request} was answered with ${status} and ${what}. ` +
    'Is this the address of a Skillpass service?'
  const requestId = headers.get('x-request-id') ?? undefined
  return new UnexpectedResponseError({
    message,
    status,
    request,
    requestId,
    retryAfter,
    body: text,
  })
}

function jsonOf(answer: WireAnswer): unknown {
  if (!/\bjson\b/i.test(answer.headers.get('content-type') ?? '')) return undefined
  try {
    return JSON.parse(textOf(answer))
  } catch {
    return undefined
  }
}

/** A byte order mark is part of a readme, and of its digest, so it stays. */
const textOf = ({ bytes }: WireAnswer) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
