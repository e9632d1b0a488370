import { type AppRoute, isAppRouteOtherResponse } from '@ts-rest/core'
import type { RouteMetadata } from '#contract'
import type { WireRequest } from './transport.ts'

/** What a route takes, as its caller gives it. */
export interface RouteInput {
  readonly params?: object | undefined
  readonly query?: object | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Where the service is and as whom to call it. */
export interface Target {
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

/**
 * The request for a route. The API key goes only where the contract asks for it, so that reads stay
 * cacheable and a key is seen by no more places than it must.
 */
export function toRequest(target: Target, route: AppRoute, input: RouteInput): WireRequest {
  const { auth, idempotent } = metadataOf(route)
  const headers = new Headers({ accept: accepted(route) })
  if (auth === 'apiKey' && target.apiKey) headers.set('authorization', `Bearer ${target.apiKey}`)
  if (input.body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(input.headers ?? {})) headers.set(name, value)
  return {
    method: route.method,
    url: target.baseUrl + pathOf(route.path, input.params) + searchOf(input.query),
    headers,
    body: input.body === undefined ? undefined : JSON.stringify(input.body),
    repeatable: idempotent ?? route.method !== 'POST',
  }
}

/** The contract's routes all declare it; ts-rest types it as unknown. */
function metadataOf(route: AppRoute): Partial<RouteMetadata> {
  return typeof route.metadata === 'object' && route.metadata !== null ? route.metadata : {}
}

function accepted(route: AppRoute): string {
  const other = Object.values(route.responses).filter(isAppRouteOtherResponse)
  return [...other.map(({ contentType }) => contentType), 'application/json'].join(', ')
}

/** ts-rest puts parameters in as they come, so that an id of `../x` would leave its place. */
function pathOf(path: string, params: object = {}): string {
  const values = new Map<string, unknown>(Object.entries(params))
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(values.get(name) ?? '')
    // URLs resolve these away, encoded or not: another address would be called.
    if (value === '' || value === '.' || value === '..') {
      throw new TypeError(`params.${name} must be a path segment, not "${value}".`)
    }
    return encodeURIComponent(value.toWellFormed())
  })
}

/** URLSearchParams replaces lone surrogates, as a text cut in half has, where ts-rest would throw. */
function searchOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) search.append(name, String(value))
  }
  const text = search.toString()
  return text && `?${text}`
}
