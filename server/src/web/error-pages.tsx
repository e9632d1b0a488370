import { type OAuthErrorEntry, oauthErrors, registryErrors } from '@skillpass/contract'
import type { Request } from 'express'
import { type Failure, isOAuthError } from '../errors/failure.ts'
import type { ErrorPages } from '../http/errors.ts'
import { accountHeaders } from './account/page.ts'
import { isAccountPath } from './account-pages.ts'
import { markHidden } from './readme/hidden-text.ts'
import { pagePolicy } from './ui/assets.ts'
import { Page, renderPage } from './ui/layout.tsx'
import { AskOperator } from './ui/operator.tsx'
import { duration, LinkList, SearchForm } from './ui/parts.tsx'
import { homePath, type SiteOf, useSite } from './ui/site.ts'

/** Renders failed requests as pages. */
export const errorPages = (siteOf: SiteOf): ErrorPages => ({
  isPage: isAccountPath,
  async render(failure, req, requestId) {
    const page = <ErrorPage failure={failure} req={req} requestId={requestId} />
    // A request that was rejected early must not query the database for its session.
    const { originalUrl } = req
    const site = await siteOf(failure.neverBegan ? { originalUrl, headers: {} } : req)
    const headers: Record<string, string> = isAccountPath(req.path)
      ? accountHeaders()
      : { 'Content-Security-Policy': pagePolicy }
    if (isTriedAgain(failure, req)) headers.Refresh = String(Math.max(5, failure.retryAfter ?? 0))
    return { headers, html: renderPage(page, site) }
  },
})

/** Whether the browser opens the page again by itself. */
const isTriedAgain = ({ status }: Failure, { method }: Request) =>
  status === 503 && method === 'GET'

function ErrorPage(props: { failure: Failure; req: Request; requestId: string }) {
  const { failure, req, requestId } = props
  const { status, retryAfter } = failure
  const site = useSite()
  const title = titles[status] ?? 'Something went wrong'
  // The message may quote an address that a stranger wrote.
  const message = markHidden(failure.message || (sentences.get(status) ?? ''))
  const number = numberOf(failure)
  const skill = status === 404 ? skillAround(req.path) : undefined
  const area = areas.find(({ path }) => `${req.path}/`.startsWith(`${path}/`))
  const searches = status === 404 && !skill && !area && site.served.has('registry')
  return (
    <Page title={`${title} (${status})`} description={message} indexed={false}>
      <div class="stack failure">
        <header>
          <p class="crumbs mono">Error {number ?? status}</p>
          <h1>{title}</h1>
        </header>
        <p>{message}</p>
        {status === 429 && retryAfter && <p>Try again in {duration(retryAfter)}.</p>}
        {isTriedAgain(failure, req) && <p>This page tries again by itself.</p>}
        {asks[status] && (
          <p>
            <AskOperator /> if {asks[status]}.
          </p>
        )}
        {searches && <SearchForm value={wordsOf(req.path)} />}
        <LinkList
          links={[
            ...(skill ? [{ label: 'Go to the skill', path: skill }] : []),
            ...(number ? [{ label: 'About this error', path: `/docs/errors#${number}` }] : []),
            area ?? { label: 'Go to the home page', path: homePath(site) },
          ]}
        />
        {requestId !== '' && (
          <p class="muted">
            Request ID <code>{requestId}</code>
          </p>
        )}
      </div>
    </Page>
  )
}

/** When to ask the operator. */
const asks: Record<number, string> = {
  403: 'you think that this is a mistake',
  451: 'you think that this is a mistake',
  500: 'it happens again, and name the request ID below',
}

/** Pages to continue from a missing page below them. */
const areas = [
  { path: '/console', label: 'Go to the console' },
  { path: '/docs', label: 'Go to the documentation' },
  { path: '/meetings', label: 'Enter the meeting number' },
]

/** The words of the last part of an address, to search for. */
const wordsOf = (path: string): string =>
  (path.split('/').findLast(Boolean) ?? '').replace(/%\w\w|[^\p{L}\p{N}]+/gu, ' ').slice(0, 100)

/** Path of the skill that a missing file, version or comparison belongs to. */
const skillAround = (path: string): string | undefined =>
  /^((?:\/[\w.~%-]+){3})\/(?:(?:view|versions)\/.+|diff)$/.exec(path)?.[1]

/** The numeric code of an OAuth error, if it has one (spec/oauth.md#errors). */
function numberOf({ code }: Failure): number | undefined {
  const entry: OAuthErrorEntry | undefined = isOAuthError(code) ? oauthErrors[code] : undefined
  return entry?.code
}

/** Texts for failures without a message, by status. */
const sentences = new Map<number, string>(
  Object.values(registryErrors).map(({ status, message }) => [status, message]),
)
  // The page adds how long to wait.
  .set(429, 'You have sent too many requests.')

const titles: Record<number, string> = {
  400: 'This request isn’t valid',
  403: 'You can’t do this',
  404: 'Page not found',
  405: 'This page can’t be opened this way',
  413: 'This is too large',
  429: 'Too many requests',
  451: 'This skill is hidden',
  500: 'Something went wrong on our side',
  503: 'Back in a moment',
}
