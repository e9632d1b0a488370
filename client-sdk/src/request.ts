import type { AppCredentials } from './credentials.ts'
import { answersOf, nameOf, type Route } from './route.ts'
import type { WireRequest } from './transport.ts'

/** What a route takes, as its caller gives it. */
export interface RouteInput {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Where a service is and as whom to call it; a service is told no other service's secrets. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey?: string | undefined
  readonly app?: AppCredentials | undefined
}

/**
 * The request for a route. A secret goes only where the contract asks for it, so that reads stay
 * cacheable and a key is seen by no more places than it must.
 */
export function toRequest(target: Target, route: Route, input: RouteInput): WireRequest {
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

/** Ids and secrets of apps are of `[A-Za-z0-9_-]`, so that Basic needs no further encoding. */
function authorizationFor({ apiKey, app }: Target, route: Route): string | undefined {
  const { auth, takesApiKey } = route
  if ((auth === 'apiKey' || takesApiKey) && apiKey) return `Bearer ${apiKey}`
  if (auth !== 'client' || !app?.clientSecret) return undefined
  return `Basic ${btoa(`${app.clientId}:${app.clientSecret}`)}`
}

/** The body of a route as it goes over the wire, and its media type. */
function sentBody(target: Target, route: Route, body: unknown) {
  if (route.form) {
    return { body: formOf(target, route, body), type: 'application/x-www-form-urlencoded' }
  }
  if (route.bytes && isBytes(body)) return { body, type: 'application/octet-stream' }
  return { body: jsonOf(body), type: 'application/json' }
}

const isBytes = (body: unknown): body is Uint8Array<ArrayBuffer> | Blob =>
  body instanceof Uint8Array || body instanceof Blob

/** A public client, which has no secret, names itself in the form (RFC 6749 §3.2.1). */
function formOf({ app }: Target, route: Route, body: unknown): string {
  const form = typeof body === 'string' ? new URLSearchParams(body) : parametersOf(body)
  const named = form.has('client_id') || app?.clientSecret !== undefined
  if (app && !named && route.auth === 'client') form.set('client_id', app.clientId)
  return form.toString()
}

const jsonOf = (body: unknown) => (body === undefined ? undefined : JSON.stringify(body))

function accepted(route: Route): string {
  // Errors are JSON, whatever the answer is.
  const types = Object.values(answersOf(route)).filter((type) => type !== null)
  return [...new Set([...types, 'application/json'])].join(', ')
}

/** Parameters are encoded, so that an id of `../x` stays in its place. */
function pathOf(path: string, params: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params))
  return path.replace(/([:*])(\w+)/g, (_, kind: string, name: string) => {
    const value = String(values.get(name) ?? '')
    const segments = kind === '*' ? value.split('/') : [value]
    return segments.map((segment) => segmentOf(name, segment)).join('/')
  })
}

/** URLs resolve dots away, encoded or not: another address would be called. */
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

/** URLSearchParams replaces lone surrogates, as a text cut in half has. */
function parametersOf(values: unknown): URLSearchParams {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value !== undefined) parameters.append(name, String(value))
  }
  return parameters
}
