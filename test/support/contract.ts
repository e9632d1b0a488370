import {
  contract,
  listRoutes,
  OAuthError,
  type OAuthErrorEntry,
  oauthContract,
  oauthErrors,
  PlatformError,
  platformErrors,
  RegistryError,
  registryErrors,
  resourceMetadataPath,
} from '@skillpass/contract'
import { expect } from 'vitest'
import { z } from 'zod'

/** Every route of the contract. */
export const routes = listRoutes(contract)

export type Route = (typeof routes)[number]

/** Formats a route as tests list it, such as `GET /path`. */
export const nameOf = ({ method, path }: Route) => `${method} ${path}`

/** Returns the rows of `test.each`: each route with its name. */
export const named = <R extends Route>(all: readonly R[]) =>
  all.map((route) => [nameOf(route), route] as const)

/** Fills the parameters of a route's path. */
export const fillPath = ({ path }: Route, params: Record<string, unknown>): string =>
  path.replace(/[:*](\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))

/**
 * Describes how a response violates the contract. Returns undefined if it does not. An error must
 * have the shape and the status of its code. `path` identifies the service if no route matched.
 */
export function breach(
  route: Route | undefined,
  answer: { status: number; type: string; text: string; path?: string },
): string | undefined {
  const { status, type, text, path = route?.path ?? '' } = answer
  if (route && status >= 500) return `${status}: ${text.slice(0, 300)}`
  const declared = route?.responses[status]
  if (status >= 400) {
    const isPage = typeof declared === 'object' && declared !== null && 'contentType' in declared
    const wrong = isPage ? undefined : errorBreach(path, status, text)
    if (wrong) return wrong
    // These two are responses to unknown paths and methods, so no route declares them.
    const elsewhere = status === 404 || status === 405
    return declared || elsewhere || !route ? undefined : `${status} is not declared`
  }
  if (!route) return undefined
  if (!declared) return `${status} is not declared`
  if (declared instanceof z.ZodType) {
    const parsed = z.safeParse(declared, parse(text))
    return parsed.success ? undefined : `${status}: ${z.prettifyError(parsed.error)}`
  }
  if (typeof declared === 'object' && 'contentType' in declared) {
    return type.startsWith(String(declared.contentType)) ? undefined : `${status} came as ${type}`
  }
  return text === '' ? undefined : `${status} has a body: ${text.slice(0, 100)}`
}

/** Describes how an error body violates the contract of the service at a path. */
function errorBreach(path: string, status: number, text: string): string | undefined {
  const body = parse(text)
  const malformed = `${status} is not in the shape of an error: ${text.slice(0, 300)}`
  if (path.startsWith('/oauth/') || path === oauthContract.metadata.path) {
    const error = OAuthError.safeParse(body)
    if (!error.success) return malformed
    const rows: readonly OAuthErrorEntry[] = Object.values(oauthErrors)
    const { error: word, code } = error.data
    const isKnown = rows.some(
      (row) => row.error === word && row.code === code && row.status === status,
    )
    return isKnown ? undefined : `${word} ${code} came with ${status}`
  }
  if (path.startsWith('/v2/') || path.startsWith(resourceMetadataPath)) {
    const error = PlatformError.safeParse(body)
    if (!error.success) return malformed
    const { code } = error.data
    const rows = Object.values(platformErrors)
    const isKnown = rows.some((row) => row.code === code && row.status === status)
    return isKnown ? undefined : `${code} came with ${status}`
  }
  const error = RegistryError.safeParse(body)
  if (!error.success) return malformed
  const { code } = error.data.error
  return registryErrors[code].status === status ? undefined : `${code} came with ${status}`
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Expects an error with this status and a body in the shape of a code with that status. */
export function expectError(
  answer: { status: number; body: string },
  status: number,
  why: string,
): void {
  expect(answer.status, `${why}: ${answer.body.slice(0, 200)}`).toBe(status)
  expect(breach(undefined, { status, type: 'json', text: answer.body }), why).toBeUndefined()
}
