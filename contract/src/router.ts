import {
  type AppRoute,
  type AppRouter,
  initContract,
  isAppRoute,
  isAppRouteOtherResponse,
} from '@ts-rest/core'

/** Builds the routes of the contract. */
export const c: ReturnType<typeof initContract> = initContract()

/** Lists the routes of a contract, in key order. */
export function listRoutes(contract: AppRouter): AppRoute[] {
  return Object.values(contract).flatMap((entry) => (isAppRoute(entry) ? entry : listRoutes(entry)))
}

/** Whether a route's success is an HTML page. */
export function returnsPage({ responses: { 200: response } }: AppRoute): boolean {
  return (
    response !== undefined &&
    isAppRouteOtherResponse(response) &&
    response.contentType.startsWith('text/html')
  )
}
