import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { demo } from '@skillpass/contract'
import { Router } from 'express'
import { staticText } from '../../http/static-text.ts'
import { indicatorIconPath } from '../../meetings/serialize.ts'
import type { Config } from '../../runtime/config/config.ts'

type Addresses = Pick<Config, 'baseUrl' | 'authUrl' | 'apiUrl'>

const checkout = fileURLToPath(new URL('../../../..', import.meta.url)).replace(/[\\/]$/, '')

/** Reads a file of `server/assets/`. */
export const readAsset = (name: string): string =>
  readFileSync(new URL(`../../../assets/${name}`, import.meta.url), 'utf8')

/** Values in texts of the documentation: of the demo data, which only development has, or not. */
const demoValues: Readonly<Record<string, readonly [string, string]>> = {
  DEMO_REPORTER: ['$REPORTER', 'CLIENT_ID:CLIENT_SECRET'],
  DEMO_SCHEDULER_ID: [demo.apps.scheduler.clientId, 'CLIENT_ID'],
  DEMO_SCHEDULER: ['$SCHEDULER', 'CLIENT_ID:CLIENT_SECRET'],
  DEMO_BOT: ['$HELPER_BOT', 'CLIENT_ID:CLIENT_SECRET'],
  DEMO_ACCOUNT: [demo.account.id, 'ACCOUNT_ID'],
  DEMO_REDIRECT: [demo.redirectUri, 'REDIRECT_URI'],
  CHECKOUT: [checkout, '/path/to/skillpass'],
}

/**
 * Reads a text of the documentation, with the addresses of this installation. A development server
 * runs in its readers' checkout, so the text has the path of this one.
 */
export const readDocsText = (
  name: string,
  { baseUrl, authUrl, apiUrl, environment }: Addresses & Pick<Config, 'environment'>,
): string =>
  readAsset(`docs/${name}`)
    .replace(/DEMO_\w+|CHECKOUT/g, (name) => {
      const [inDemo, other] = demoValues[name] ?? [name, name]
      return environment === 'development' ? inDemo : other
    })
    .replaceAll('BASE_URL', baseUrl)
    .replaceAll('AUTH_URL', authUrl)
    .replaceAll('API_URL', apiUrl)

/** A text asset. Its URL contains a hash of the text, so caches may keep it forever. */
function asset(path: string, ...names: string[]) {
  const text = names.map(readAsset).join('')
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12)
  return { path, text, url: `${path}?v=${hash}` }
}

export const stylesheet = asset(
  '/assets/skillpass.css',
  ...['palette.css', 'base.css', 'frame.css', 'parts.css', 'skill.css', 'account.css'],
  ...['console.css', 'resolve.css', 'meeting.css', 'reference.css'],
)

/** Adds a copy button to each command of a page. */
export const copyScript = asset('/assets/copy.js', 'copy.js')

/** Filters the rows of a page. */
export const filterScript = asset('/assets/filter.js', 'filter.js')

/** Overrides the styles of Swagger UI. */
export const docsStyle = asset('/docs/docs.css', 'docs.css')
export const docsScript = asset('/docs/start.js', 'docs.js')

/** The logo: a pass with a prompt on it, in a 20 by 20 view box. */
export const markPath =
  'M4 2.5h12A1.5 1.5 0 0 1 17.5 4v3.6a2.5 2.5 0 0 0 0 4.8V16a1.5 1.5 0 0 1-1.5 1.5H4A1.5 1.5 0 0 1 2.5 16v-3.6a2.5 2.5 0 0 0 0-4.8V4A1.5 1.5 0 0 1 4 2.5Zm2.6 4.1-1.2 1.2L7.6 10l-2.2 2.2 1.2 1.2L10 10Zm3.4 5.2v1.6h4.6v-1.6Z'

const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><style>path{fill:#3a4fd8}@media(prefers-color-scheme:dark){path{fill:#8c9bff}}</style><path fill-rule="evenodd" d="${markPath}"/></svg>`

const policy = (formTargets: string, ...sources: string[]) =>
  [
    "default-src 'none'",
    ...sources,
    "img-src 'self' data:",
    `form-action ${formTargets}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ')

const ownStyle = "style-src 'self'"
const ownScript = "script-src 'self'"

/** Paths of the in-meeting indicator in a 20 by 20 view box: a filled tile and stroked waves. */
export const indicatorPaths = {
  tile: 'M5.7 7h3.6a1.2 1.2 0 0 1 1.2 1.2v3.6a1.2 1.2 0 0 1-1.2 1.2H5.7a1.2 1.2 0 0 1-1.2-1.2V8.2A1.2 1.2 0 0 1 5.7 7Z',
  waves: 'M12.3 7.7a3.3 3.3 0 0 1 0 4.6M14.3 5.8a6 6 0 0 1 0 8.4',
}

/** The in-meeting indicator with its own background, for use on any page. */
const appIndicatorIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="1 1 18 18" width="40" height="40"><circle cx="10" cy="10" r="9" fill="#3a4fd8"/><path d="${indicatorPaths.tile}" fill="#fff"/><path d="${indicatorPaths.waves}" fill="none" stroke="#fff" stroke-width="1.4" stroke-linecap="round"/></svg>`

/** Content security policy of pages without scripts. */
export const pagePolicy = policy("'self'", ownStyle)

/** Policy of pages that load `copyScript`. */
export const scriptedPagePolicy = policy("'self'", ownStyle, ownScript)

/** Policy of the Swagger UI page, which uses inline styles and calls the services. */
export const docsPolicy = ({ baseUrl, authUrl, apiUrl }: Addresses): string =>
  policy(
    "'self'",
    `${ownStyle} 'unsafe-inline'`,
    ownScript,
    `connect-src 'self' ${baseUrl} ${authUrl} ${apiUrl}`,
  )

/**
 * Policy of a page whose form redirects to an app. Browsers apply form-action to every redirect
 * after a form, including those of the app itself, so the policy allows the whole scheme.
 */
export const pagePolicyTowards = (redirectUri: string): string =>
  policy(`'self' ${new URL(redirectUri).protocol}`, ownStyle)

const day = 'public, max-age=86400'

/** Adds the route of a constant text. By default, caches keep it for a day. */
export const addText = (router: Router, path: string, text: string, type: string, caching = day) =>
  router.get(path, staticText(Buffer.from(text), { type, cacheControl: caching }))

/** Routes of the stylesheet, script and icons that the pages of every service use. */
export function assetRoutes(): Router {
  const router = Router()
  const forever = 'public, max-age=31536000, immutable'
  addText(router, stylesheet.path, stylesheet.text, 'css', forever)
  for (const { path, text } of [copyScript, filterScript]) {
    addText(router, path, text, 'js', forever)
  }
  addText(router, '/favicon.ico', favicon, 'svg')
  addText(router, indicatorIconPath, appIndicatorIcon, 'svg')
  return router
}
