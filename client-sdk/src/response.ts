import type { ErrorReader } from './error-responses.ts'
import { type SkillpassError, UnexpectedResponseError } from './errors.ts'
import { mediaTypesOf, nameOf, type Route } from './route.ts'
import { type HttpResponse, retryAfterSeconds } from './transport.ts'
import { parseJson } from './untrusted.ts'

/**
 * Returns the body of a success response. Throws the typed error of an error response, and
 * UnexpectedResponseError if the response does not match the contract.
 */
export function bodyOf(route: Route, response: HttpResponse, readError: ErrorReader): unknown {
  const declared = declaredTypeOf(route, response, readError)
  if (declared === null) return undefined
  if (declared !== 'application/json') {
    return declared.startsWith('text/') ? textOf(response) : response.bytes
  }
  const body = jsonOf(response)
  if (body === undefined) throw unexpected(nameOf(route), response, 'a body that is not JSON')
  return body
}

/** Returns the declared media type of a success response. Throws as `bodyOf` does. */
export function declaredTypeOf(
  route: Route,
  response: HttpResponse,
  readError: ErrorReader,
): string | null {
  const success = response.status >= 200 && response.status < 300
  if (!success) {
    const isDeclared = mediaTypesOf(route)[response.status] !== undefined
    throw errorOf(nameOf(route), response, readError, isDeclared)
  }
  const declared = mediaTypesOf(route)[response.status]
  if (declared === undefined) {
    throw unexpected(nameOf(route), response, 'which is not a status of this route')
  }
  if (declared === null || declared === 'application/json') return declared
  const type = response.headers.get('content-type') ?? 'no content type'
  if (type.startsWith(declared)) return declared
  throw unexpected(nameOf(route), response, `${type} instead of ${declared}`)
}

/**
 * Returns the error of an error response. `declared`: the route declares a body for this status.
 */
export function errorOf(
  request: string,
  response: HttpResponse,
  readError: ErrorReader,
  declared = false,
): SkillpassError {
  const body = jsonOf(response)
  const refused = { ...factsOf(response), request, body, declared: declared && body !== undefined }
  return readError(refused) ?? unexpected(request, response, 'an unknown body')
}

function unexpected(request: string, response: HttpResponse, what: string) {
  const message = `${request} returned ${response.status}, ${what}. Check that this is the address of a Skillpass service.`
  return new UnexpectedResponseError({
    ...factsOf(response),
    message,
    request,
    body: textOf(response),
  })
}

/** Returns the properties of an error that come from the status line and headers. */
const factsOf = ({ status, headers }: HttpResponse) => ({
  status,
  requestId: headers.get('x-request-id') ?? undefined,
  retryAfter: retryAfterSeconds(headers, Date.now()),
})

function jsonOf(response: HttpResponse): unknown {
  const isJson = /\bjson\b/i.test(response.headers.get('content-type') ?? '')
  return isJson ? parseJson(textOf(response)) : undefined
}

/** Decodes the body. Keeps a byte order mark, since the digest covers it. */
const textOf = ({ bytes }: HttpResponse) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
