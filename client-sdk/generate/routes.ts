import { contract, metadataOf, type RouteMetadata } from '@skillpass/contract'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'

/** A route of the contract, with where it stands in the tree. */
export interface FoundRoute {
  readonly key: string
  /** As sentences name it: `registry.skills.search`. */
  readonly where: string
  readonly route: AppRoute
  readonly metadata: RouteMetadata
}

/** Routes that stand under one key of the contract, as `registry.skills`. */
export interface Noun {
  readonly key: string
  /** Its key as names of types begin: `Skills`. */
  readonly title: string
  readonly routes: readonly FoundRoute[]
}

/** One of the services. Where its routes stand without a noun, it is its own. */
export interface Service {
  readonly key: string
  readonly title: string
  readonly nouns: readonly Noun[]
  /** Whether the routes stand without a noun. */
  readonly flat: boolean
}

const titles: Readonly<Record<string, string>> = { oauth: 'OAuth' }

const titleOf = (key: string) => titles[key] ?? capitalized(key)

export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The services of the contract with their routes, in its order. */
export function servicesOf(): Service[] {
  return Object.entries<AppRouter>(contract).map(([key, router]) => {
    const routes = routesOf(key, router)
    const title = titleOf(key)
    if (routes.length > 0) return { key, title, nouns: [{ key, title, routes }], flat: true }
    const nouns = Object.entries(router).map(([noun, routes]) => {
      if (isAppRoute(routes)) throw new Error(`${key}.${noun} stands beside nouns.`)
      return { key: noun, title: titleOf(noun), routes: routesOf(`${key}.${noun}`, routes) }
    })
    return { key, title, nouns: nouns.filter(({ routes }) => routes.length > 0), flat: false }
  })
}

function routesOf(where: string, router: AppRouter): FoundRoute[] {
  return Object.entries(router)
    .flatMap(([key, route]) =>
      isAppRoute(route)
        ? [{ key, where: `${where}.${key}`, route, metadata: metadataOf(route) }]
        : [],
    )
    .filter(({ metadata }) => metadata.tag !== undefined)
}
