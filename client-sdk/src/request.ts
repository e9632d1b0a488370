import type { AppCredentials } from './credentials.ts'
import { mediaTypesOf, nameOf, type Route } from './route.ts'
import type { HttpRequest } from './transport.ts'

/** Input of a call. */
export interface RouteInput {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** URL of a service and its credentials. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly app?: AppCredentials | undefined
}

/**
 * Builds the request of a call. Sends credentials only to routes that use them, which limits their
 * exposure and keeps public reads cacheable.
 */
export function toRequest(target: Target, route: Route, input: RouteInput): HttpRequest {
  const { form = false, idempotent } = route
  const headers = new Headers({ accept: accepted(route) })
  const authorization = authorizationFor(target, route)
  if (authorization) headers.set('authorization', authorization)
  const { body, type } = sentBody(target, route, input.body)
  if (body !== undefined) headers.set('content-type', type)
  for (const [name, value] of Object.entries(input.headers ?? {})) headers.set(name, value)
  return {
    name: nameOf(route),
    method: route.method,
    url: target.baseUrl + pathOf(route.path, input.params) + searchOf(input.query),
    headers,
    body,
    repeatable: idempotent ?? route.method !== 'POST',
    redirect: form ? 'manual' : 'follow',
  }
}

/**
 * Client ids and secrets match `[A-Za-z0-9_-]+`, so Basic needs no further encoding (RFC 6749
 * §2.3.1).
 */
function authorizationFor({ apiKey, app }: Target, route: Route): string | undefined {
  const { auth, takesApiKey } = route
  if ((auth === 'apiKey' || takesApiKey) && apiKey) return `Bearer ${apiKey}`
  if (auth !== 'client' || !app?.clientSecret) return undefined
  return `Basic ${btoa(`${app.clientId}:${app.clientSecret}`)}`
}

/** Returns the encoded body of a request and its media type. */
function sentBody(target: Target, route: Route, body: unknown) {
  if (route.form) {
    return { body: formOf(target, route, body), type: 'application/x-www-form-urlencoded' }
  }
  if (route.bytes && isBytes(body)) return { body, type: 'application/octet-stream' }
  return { body: jsonOf(body), type: 'application/json' }
}

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> | Blob =>
  body instanceof Uint8Array || body instanceof Blob

/** Encodes a form. A public client adds its `client_id` (RFC 6749 §3.2.1). */
function formOf({ app }: Target, route: Route, body: unknown): string {
  const form = typeof body === 'string' ? new URLSearchParams(body) : parametersOf(body)
  const named = form.has('client_id') || app?.clientSecret !== undefined
  if (app && !named && route.auth === 'client') form.set('client_id', app.clientId)
  return form.toString()
}

const jsonOf = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body))

function accepted(route: Route): string {
  // Errors are always JSON.
  const types = Object.values(mediaTypesOf(route)).filter((type) => type !== null)
  return [...new Set([...types, 'application/json'])].join(', ')
}

/** Fills in the path parameters, encoded. */
function pathOf(path: string, params: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params))
  return path.replace(/([:*])(\w+)/g, (_, kind: string, name: string) => {
    const value = String(values.get(name) ?? '')
    const segments = kind === '*' ? value.split('/') : [value]
    return segments.map((segment) => segmentOf(name, segment)).join('/')
  })
}

/** Encodes a path segment. Throws for `.` and `..`, which URLs resolve even if they are encoded. */
function segmentOf(name: string, segment: string): string {
  if (segment === '' || segment === '.' || segment === '..') {
    throw new TypeError(`params.${name} must be a path segment, not "${segment}".`)
  }
  return encodeURIComponent(segment.toWellFormed())
}

function searchOf(query: unknown): string {
  const text = parametersOf(query).toString()
  return text && `?${text}`
}

function parametersOf(values: unknown): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value !== undefined) parameters.append(name, String(value))
  }
  return parameters
}
