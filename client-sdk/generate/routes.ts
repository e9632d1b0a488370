import { contract, metadataOf, type RouteMetadata } from '@skillpass/contract'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'

/** A route of the contract with its place in the tree. */
export interface ContractRoute {
  /** Last part of the path: `search`. */
  readonly key: string
  /** Full path: `registry.skills.search`. */
  readonly where: string
  readonly route: AppRoute
  readonly metadata: RouteMetadata
}

/** Routes under one key of the contract, such as `registry.skills`. */
export interface Resource {
  readonly key: string
  /** Prefix of its type names: `Skills`. */
  readonly title: string
  readonly routes: readonly ContractRoute[]
}

/** One of the services. A service with flat routes has itself as its only resource. */
export interface Service {
  readonly key: string
  readonly title: string
  readonly resources: readonly Resource[]
  /** Whether the routes are directly under the service, as in `oauth.token`. */
  readonly flat: boolean
}

const titles: Readonly<Record<string, string>> = { oauth: 'OAuth' }

const titleOf = (key: string) => titles[key] ?? capitalized(key)

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Returns the services of the contract with their routes, in the order of the contract. */
export function servicesOf(): Service[] {
  const services = Object.entries<AppRouter>(contract).map(([key, router]) => {
    const routes = routesOf(key, router)
    const title = titleOf(key)
    if (routes.length > 0) return { key, title, resources: [{ key, title, routes }], flat: true }
    const resources = Object.entries(router).map(([resource, routes]) => {
      if (isAppRoute(routes)) throw new Error(`${key}.${resource} must be in a group.`)
      return {
        key: resource,
        title: titleOf(resource),
        routes: routesOf(`${key}.${resource}`, routes),
      }
    })
    return {
      key,
      title,
      resources: resources.filter(({ routes }) => routes.length > 0),
      flat: false,
    }
  })
  return services.filter(({ resources }) => resources.length > 0)
}

function routesOf(where: string, router: AppRouter): ContractRoute[] {
  return Object.entries(router)
    .flatMap(([key, route]) =>
      isAppRoute(route)
        ? [{ key, where: `${where}.${key}`, route, metadata: metadataOf(route) }]
        : [],
    )
    .filter(({ metadata }) => metadata.tag !== undefined)
}
