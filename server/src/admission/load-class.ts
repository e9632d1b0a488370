import { contract, oauthContract, registryContract } from '@skillpass/contract'
import { answersPage, listRoutes } from '../http/endpoints.ts'

/** What requests are held back together: each class has its own bound, wait and chance of refusal. */
export const loadClasses = ['read', 'page', 'ranking', 'write', 'token', 'password'] as const

export type LoadClass = (typeof loadClasses)[number]

/** What is read of a request to tell its class. */
export interface Asking {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly accept?: string | undefined }
}

/** Operators and load balancers ask here; they never wait. */
const free = new Set([
  '/health/live',
  '/health/ready',
  '/metrics',
  registryContract.health.check.path,
])

const { search, resolve } = registryContract.skills
const { installers, clawhub } = registryContract
const searches = [resolve, search, installers.find, clawhub.search].map(({ path }) => path)

/** Addresses whose work is of another kind than their method says. */
const special = new Map<string, LoadClass>([
  ...[...searches, '/resolve', '/search'].map((path) => [`GET ${path}`, 'ranking'] as const),
  ...listRoutes(oauthContract)
    .filter((route) => route.method === 'POST')
    .map(({ path }) => [`POST ${path}`, 'token'] as const),
  ['POST /sign-in', 'password'],
  [`POST ${contract.platform.users.create.path}`, 'password'],
])

/** First segments below which there is an API alone. */
const apiRoots = new Set(['/api', '/v2', '/.well-known'])

const oauthRoutes = listRoutes(oauthContract)

/** Addresses of the authorization service for apps, and for people. */
export const oauthPaths = new Set(
  oauthRoutes.filter((route) => !answersPage(route)).map(({ path }) => path),
)
const pagePaths = new Set(oauthRoutes.filter(answersPage).map(({ path }) => path))

/** The path of an address, without its query. */
export function pathOf({ url = '/' }: Pick<Asking, 'url'>): string {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** The class of a request; nothing for one that never waits. */
export function classOf(asking: Asking): LoadClass | undefined {
  const { method = 'GET' } = asking
  const path = pathOf(asking)
  if (free.has(path)) return undefined
  const known = special.get(`${method === 'HEAD' ? 'GET' : method} ${path}`)
  if (known) return known
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return 'write'
  return wantsPage(asking, path) ? 'page' : 'read'
}

/** First segment of a path, such as `/api`. */
export function rootOf(path: string): string {
  const end = path.indexOf('/', 1)
  return end < 0 ? path : path.slice(0, end)
}

/** Whether a person asks, who is to be shown a page. */
export const wantsPage = ({ headers: { accept } }: Asking, path: string): boolean =>
  pagePaths.has(path) ||
  (accept?.includes('text/html') === true && !apiRoots.has(rootOf(path)) && !oauthPaths.has(path))
