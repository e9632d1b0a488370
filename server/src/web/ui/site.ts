import type { Request } from 'express'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ServiceName } from '../../runtime/config/checks.ts'
import type { Operator } from '../../runtime/config/config.ts'

interface Viewer {
  /** Display name; the email of a user without one. */
  name: string
  email: string
  /** True for admins and the owner, who approve the account's apps. */
  isAdmin: boolean
}

/** Data that all components of a page share. */
export interface Site {
  /** The services of this process. Pages link only to these. */
  readonly served: ReadonlySet<ServiceName>
  /** Path of the page, without its query. */
  readonly path: string
  /** Path of the sign-in page; it returns here if the address is safe to repeat. */
  readonly signInPath: string
  readonly viewer: Viewer | undefined
  /** Username of the signed-in agent. */
  readonly agent: string | undefined
  readonly operator: Operator
  /** Value of the `done` query parameter, which names the completed action. */
  readonly done: string | undefined
  readonly formToken: (action: string, values: HiddenFields) => string
}

export type HiddenFields = Readonly<Record<string, string>>

/**
 * Creates the `Site` of a request. Signing in returns to `back`. The page contains that path, so
 * leave it out if it may contain a secret.
 */
export type SiteOf = (req: Pick<Request, 'headers' | 'originalUrl'>, back?: string) => Promise<Site>

export const pathOf = ({ originalUrl }: Pick<Request, 'originalUrl'>): string =>
  originalUrl.split('?', 1)[0] ?? '/'

const context = createContext<Site | undefined>(undefined)

export const SiteProvider = context.Provider

export function useSite(): Site {
  const site = useContext(context)
  if (!site) throw new Error('a page is rendered without its site')
  return site
}

/** The home page of the services that this process serves. */
export function homePath({ served }: Pick<Site, 'served'>): string {
  if (served.has('registry')) return '/'
  return served.has('oauth') ? '/my/apps' : '/docs'
}
