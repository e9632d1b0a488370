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

/**
 * One of the services. If it is flat, its routes are directly under it, and it is its only
 * resource.
 */
export type Service = ReturnType<typeof servicesOf>[number]

/**
 * Routes under one key of the contract, such as `registry.skills`. Its title is the prefix of its
 * types.
 */
export type Resource = Service['resources'][number]

const titles: Readonly<Record<string, string>> = { oauth: 'OAuth' }

const titleOf = (key: string) => titles[key] ?? capitalized(key)

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Returns the services of the contract with their routes, in the order of the contract. */
export function servicesOf() {
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
