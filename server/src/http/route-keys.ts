import { contract } from '@skillpass/contract'
import { type AppRoute, type AppRouter, isAppRoute } from '@ts-rest/core'

const { oauth, resources, platform, registry } = contract

const listRoutes = (router: AppRouter, prefix = ''): [key: string, route: AppRoute][] =>
  Object.entries(router).flatMap(([key, entry]) =>
    isAppRoute(entry) ? [[prefix + key, entry]] : listRoutes(entry, `${prefix}${key}.`),
  )

/** All routes of the contract by key, such as `oauth.token` or `meetings.create`. */
export const keyedRoutes: ReadonlyMap<string, AppRoute> = new Map(
  [{ oauth, resources }, platform, registry].flatMap((router) => listRoutes(router)),
)

export const nameOf = ({ method, path }: AppRoute) => `${method} ${path}`

const keys = new Map([...keyedRoutes].map(([key, route]) => [nameOf(route), key]))

/** Returns the key of a route, or null without a route. */
export const keyOf = (route: AppRoute | undefined): string | null =>
  (route && keys.get(nameOf(route))) ?? null
