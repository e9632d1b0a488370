import { didYouMean, registryErrors } from '@skillpass/contract'
import { fail } from '../../errors/failure.ts'
import { createMatcher } from '../../http/endpoints.ts'
import { type KeyedRoute, keyedRoutes } from '../../http/route-keys.ts'
import { accountPageNames } from '../../web/account-pages.ts'

/** A request. `route` is the key of its route in the contract, and null for pages. */
interface Seen {
  readonly method: string
  /** Path, perhaps with a query. */
  readonly path: string
  readonly route: string | null
}

/** A route or page whose requests a test names. */
export type NamedRoute = Known & { matches(request: Seen): boolean }

type Known = Omit<KeyedRoute, 'key'> & { readonly key: string | null }

const known: readonly Known[] = [
  ...keyedRoutes,
  ...accountPageNames.map((name) => ({
    ...{ key: null, name, errors: registryErrors, auth: 'none' as const },
  })),
]

/**
 * Finds the route or page that a text names: by key, or by method and path, with or without
 * parameters. Throws VALIDATION_ERROR.
 */
export function findNamedRoute(text: string): NamedRoute {
  const whole = known.find(({ key, name }) => key === text || name === text)
  if (whole) {
    return {
      ...whole,
      matches: (seen) => seen.route === whole.key && (whole.key !== null || isAt(whole, seen)),
    }
  }
  const [method = '', path = ''] = text.split(' ')
  const route = known.find((one) => isAt(one, { method, path }))
  if (route) {
    return {
      ...route,
      matches: (seen) =>
        seen.route === route.key && seen.method === method && pathOf(seen) === path,
    }
  }
  const names = known.flatMap(({ key, name }) => [name, key ?? name])
  return fail('VALIDATION_ERROR', `There is no route "${text}".${didYouMean(text, names)}`)
}

function isAt({ name }: Known, seen: Omit<Seen, 'route'>): boolean {
  const [method, path = ''] = name.split(' ')
  return method === seen.method && createMatcher(path)(pathOf(seen))
}

const pathOf = ({ path }: Pick<Seen, 'path'>) => path.replace(/\?.*/s, '')
