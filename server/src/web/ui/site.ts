import type { Request } from 'express'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ServiceName } from '../../config/checks.ts'

/** Who is signed in. */
export interface Viewer {
  /** As the person is called; the email where no name is known. */
  name: string
  email: string
  /** Admins and the owner decide on the account's apps. */
  isAdmin: boolean
}

/** What is the same for all parts of a page: where it stands, what else there is, and who looks at it. */
export interface Site {
  /** The services of this process: only their pages are linked to. */
  readonly served: ReadonlySet<ServiceName>
  /** Path of the page, without its query. */
  readonly path: string
  /** Address of the sign-in page; it leads back here where that is known to be safe. */
  readonly signInPath: string
  readonly viewer: Viewer | undefined
  /** What the address says was just done. */
  readonly done: string | undefined
  /** Token of a form that the page holds, by its action and its hidden fields. */
  readonly formToken: (action: string, values: HiddenFields) => string
}

/** Fields of a form that the person does not see. */
export type HiddenFields = Readonly<Record<string, string>>

/**
 * Finds the site around the page that a request asks for. Signing in leads to `back`, which stands on
 * the page: an address that may hold a secret is not given.
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

/** Where the site begins: the first of its pages that is served. */
export function homePath({ served }: Pick<Site, 'served'>): string {
  if (served.has('registry')) return '/'
  return served.has('oauth') ? '/my/apps' : '/docs'
}
