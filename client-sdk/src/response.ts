import { type SkillpassError, UnexpectedResponseError } from './errors.ts'
import { jsonIn } from './read.ts'
import type { ReadRefusal } from './refusals.ts'
import { answersOf, nameOf, type Route } from './route.ts'
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
  if (body === undefined) throw unexpected(nameOf(route), answer, 'a body that is no JSON')
  return body
}

/** The media type of a success answer, which must be the declared one; JSON says so itself. Throws as `bodyOf` does. */
export function typeOf(route: Route, answer: WireAnswer, readRefusal: ReadRefusal): string | null {
  const success = answer.status >= 200 && answer.status < 300
  if (!success) {
    const isDeclared = answersOf(route)[answer.status] !== undefined
    throw refusalOf(nameOf(route), answer, readRefusal, isDeclared)
  }
  const declared = answersOf(route)[answer.status]
  if (declared === undefined) {
    throw unexpected(nameOf(route), answer, 'a status it does not declare')
  }
  if (declared === null || declared === 'application/json') return declared
  const type = answer.headers.get('content-type') ?? 'no content type'
  if (type.startsWith(declared)) return declared
  throw unexpected(nameOf(route), answer, `${type} where ${declared} was due`)
}

/** The error of an answer that says no; `declared` where its route has an answer of its own for the status. */
export function refusalOf(
  request: string,
  answer: WireAnswer,
  readRefusal: ReadRefusal,
  declared = false,
): SkillpassError {
  const body = jsonOf(answer)
  const refused = { ...factsOf(answer), request, body, declared: declared && body !== undefined }
  return readRefusal(refused) ?? unexpected(request, answer, 'a body that is not of the contract')
}

function unexpected(request: string, answer: WireAnswer, what: string) {
  const message = `${request} was answered with ${answer.status} and ${what}. Is this the address of a Skillpass service?`
  return new UnexpectedResponseError({ ...factsOf(answer), message, request, body: textOf(answer) })
}

/** What an error tells of an answer beside its body. */
const factsOf = ({ status, headers }: WireAnswer) => ({
  status,
  requestId: headers.get('x-request-id') ?? undefined,
  retryAfter: retryAfterSeconds(headers, Date.now()),
})

function jsonOf(answer: WireAnswer): unknown {
  const isJson = /\bjson\b/i.test(answer.headers.get('content-type') ?? '')
  return isJson ? jsonIn(textOf(answer)) : undefined
}

/** A byte order mark is part of a readme, and of its digest, so it stays. */
const textOf = ({ bytes }: WireAnswer) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
