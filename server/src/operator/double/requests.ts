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

  /** Lists the last requests, oldest first. Throws VALIDATION_ERROR, NOT_FOUND. */
  function list({ route, app, user, status, since }: Filter = {}): LoggedRequest[] {
    const named = route === undefined ? undefined : findNamedRoute(route)
    const appName = app && names.appName(names.appId(app))
    const email = user && names.userEmail(names.userId(user))
    return log.filter(
      (one) =>
        (named?.matches(one) ?? true) &&
        (appName ?? one.app) === one.app &&
        (email ?? one.user) === one.user &&
        (status ?? one.status) === one.status &&
        (since === undefined || Date.parse(one.at) >= Date.parse(since)),
    )
  }

  return {
    list,
    observe({ app, user, ...request }: LoggedRequest): void {
      if (unlogged.test(request.path)) return
      const [appName, email] = [app && names.appName(app), user && names.userEmail(user)]
      if (log.push({ ...request, app: appName, user: email }) > kept) log.shift()
    },
    /** Waits for a request that no earlier call returned. Throws NOT_FOUND after `timeout` ms. */
    async next(filter: Filter = {}, { timeout = 5000 } = {}): Promise<LoggedRequest> {
      const isNew = (one: LoggedRequest) => !returned.has(one)
      const request = await waitFor(timeout, () => {
        const found = list(filter).find(isNew)
        if (found) returned.add(found)
        return found
      })
      const last = log.slice(-5).map(({ method, path, status }) => `${method} ${path} ${status}`)
      const others = last.length === 0 ? 'There were none' : `The last ones: ${last.join(', ')}`
      return request ?? fail('NOT_FOUND', `None arrived within ${timeout} ms. ${others}.`)
    },
    clear(): void {
      log = []
      returned = new WeakSet()
    },
  }
}
