import {
  didYouMean,
  metadataOf,
  oauthErrors,
  platformErrors,
  registryErrors,
} from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'
import { createMatcher } from '../../http/endpoints.ts'
import { keyedRoutes, nameOf } from '../../http/route-keys.ts'
import { accountPageNames } from '../../web/account-pages.ts'

/** A request. Pages have no key of a route. */
interface Seen {
  readonly method: string
  /** Path, perhaps with a query. */
  readonly path: string
  readonly route: string | null
}

/** The error table of the service of a path. */
function errorsOf(path: string): Readonly<Record<string, { readonly status: number }>> {
  if (path.startsWith('/oauth/')) return oauthErrors
  return path.startsWith('/v2/') ? platformErrors : registryErrors
}

const known = [
  ...Array.from(keyedRoutes, ([key, route]) => {
    return { key, name: nameOf(route), auth: metadataOf(route).auth, errors: errorsOf(route.path) }
  }),
  ...accountPageNames.map((name) => {
    return { key: null, name, auth: 'none' as const, errors: errorsOf('/') }
  }),
]

type Known = (typeof known)[number]

/** A route or page whose requests a test names. */
export type NamedRoute = Known & { matches(request: Seen): boolean }

/**
 * Finds the route or page that a text names: by key, or by method and path, with or without
 * parameters. Throws VALIDATION_ERROR.
 */
export function findNamedRoute(text: string): NamedRoute {
  const [method = '', path = ''] = text.split(' ')
  const whole = known.find(({ key, name }) => key === text || name === text)
  const route = whole ?? known.find((one) => isAt(one, { method, path }))
  if (!route) {
    const names = known.flatMap(({ key, name }) => [name, key ?? name])
    return fail('VALIDATION_ERROR', `There is no route "${text}".${didYouMean(text, names)}`)
  }
  const matches = (seen: Seen) => {
    if (seen.route !== route.key) return false
    return whole ? seen.route !== null || isAt(route, seen) : pathOf(seen.path) === path
  }
  return { ...route, matches }
}

function isAt({ name }: Known, seen: Pick<Seen, 'method' | 'path'>): boolean {
  const [method, path = ''] = name.split(' ')
  return method === seen.method && createMatcher(path)(pathOf(seen.path))
}

const pathOf = (path: string) => path.replace(/\?.*/s, '')
