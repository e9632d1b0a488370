import type { LoggedRequest, RequestFilter } from '@skillpass/contract'
import type { z } from 'zod'
import { fail } from '../../errors/failure.ts'
import type { Names } from './names.ts'
import { findNamedRoute } from './routes.ts'
import { waitFor } from './wait-for.ts'

type Filter = z.input<typeof RequestFilter>

/** Requests to keep. */
const kept = 10_000

/** Paths whose requests are not logged: the controls, files of pages, and monitoring. */
const unlogged = /^\/(double|assets|health|metrics|favicon\.ico)\b/

/** The log of the requests that a double has received. */
export function createRequests(names: Names) {
  let log: LoggedRequest[] = []
  let returned = new WeakSet<LoggedRequest>()

  function find({ route, app, user, status, since }: Filter): LoggedRequest[] {
    const named = route === undefined ? undefined : findNamedRoute(route)
    const [appId, userId] = [app && names.appId(app), user && names.userId(user)]
    return log.filter(
      (one) =>
        (named?.matches(one) ?? true) &&
        (appId ?? one.app) === one.app &&
        (userId ?? one.user) === one.user &&
        (status ?? one.status) === one.status &&
        (since === undefined || Date.parse(one.at) >= Date.parse(since)),
    )
  }

  const serialize = (one: LoggedRequest): LoggedRequest => ({
    ...one,
    app: one.app && names.appName(one.app),
    user: one.user && names.userEmail(one.user),
  })

  return {
    observe(request: LoggedRequest): void {
      if (unlogged.test(request.path)) return
      if (log.push(request) > kept) log.shift()
    },
    /** Lists the last requests, oldest first. Throws VALIDATION_ERROR, NOT_FOUND. */
    list: (filter: Filter = {}) => find(filter).map(serialize),
    /**
     * Waits for a request that no earlier call returned. Throws NOT_FOUND after `timeout` ms of
     * real time.
     */
    async next(filter: Filter = {}, { timeout = 5000 } = {}): Promise<LoggedRequest> {
      const request = await waitFor(timeout, () => find(filter).find((one) => !returned.has(one)))
      if (request) {
        returned.add(request)
        return serialize(request)
      }
      const last = log.slice(-5).map(({ method, path, status }) => `${method} ${path} ${status}`)
      const others = last.length === 0 ? 'There were none' : `The last ones: ${last.join(', ')}`
      return fail('NOT_FOUND', `No request of these arrived within ${timeout} ms. ${others}.`)
    },
    clear(): void {
      log = []
      returned = new WeakSet()
    },
  }
}
