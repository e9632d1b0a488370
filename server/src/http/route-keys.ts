import {
  contract,
  metadataOf,
  oauthErrors,
  platformErrors,
  type RouteMetadata,
  registryErrors,
} from '@skillpass/contract'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'

/** A route of the contract. */
export interface KeyedRoute extends Pick<RouteMetadata, 'auth'> {
  /** For example `meetings.create`. */
  readonly key: string
  /** For example `POST /v2/users/:userId/meetings`. */
  readonly name: string
  /** Error table of its service. */
  readonly errors: Readonly<Record<string, { readonly status: number }>>
}

const list = (router: AppRouter, errors: KeyedRoute['errors'], prefix = ''): KeyedRoute[] =>
  Object.entries(router).flatMap(([key, entry]) =>
    isAppRoute(entry)
      ? { key: prefix + key, name: nameOf(entry), errors, auth: metadataOf(entry).auth }
      : list(entry, errors, `${prefix}${key}.`),
  )

const nameOf = ({ method, path }: Pick<AppRoute, 'method' | 'path'>) => `${method} ${path}`

/** All routes of the contract. The keys of the platform and the registry have no prefix. */
export const keyedRoutes: readonly KeyedRoute[] = [
  ...list({ oauth: contract.oauth }, oauthErrors),
  ...list({ resources: contract.resources }, platformErrors),
  ...list(contract.platform, platformErrors),
  ...list(contract.registry, registryErrors),
]

const keys = new Map(keyedRoutes.map(({ key, name }) => [name, key]))

/** Returns the key of a route, or null without a route. */
export const keyOf = (route: AppRoute | undefined): string | null =>
  (route && keys.get(nameOf(route))) ?? null
