import { type OAuthErrorEntry, oauthErrors, registryErrors } from '@skillpass/contract'
import { type Failure, isOAuthError } from '../errors/failure.ts'
import type { ErrorPages } from '../http/errors.ts'
import { accountHeaders } from './account/page.ts'
import { isAccountPath } from './account-pages.ts'
import { markHidden } from './readme/hidden-text.ts'
import { pagePolicy } from './ui/assets.ts'
import { Page, renderPage } from './ui/layout.tsx'
import { AskOperator } from './ui/operator.tsx'
import { duration, SearchForm } from './ui/parts.tsx'
import { homePath, type SiteOf, useSite } from './ui/site.ts'

/** Renders failed requests as pages. */
export const errorPages = (siteOf: SiteOf): ErrorPages => ({
  isPage: isAccountPath,
  async render(failure, req, requestId) {
    const page = <ErrorPage failure={failure} path={req.path} requestId={requestId} />
    // A request that was rejected early must not query the database for its session.
    const { originalUrl } = req
    const site = await siteOf(failure.neverBegan ? { originalUrl, headers: {} } : req)
    const headers = isAccountPath(req.path)
      ? accountHeaders()
      : { 'Content-Security-Policy': pagePolicy }
    return { headers, html: renderPage(page, site) }
  },
})

function ErrorPage(props: { failure: Failure; path: string; requestId: string }) {
  const { failure, path, requestId } = props
  const { status, retryAfter } = failure
  const site = useSite()
  const title = titles[status] ?? 'Something went wrong'
  // The message may quote an address that a stranger wrote.
  const message = markHidden(failure.message || (sentences.get(status) ?? ''))
  const skill = status === 404 ? skillAround(path) : undefined
  const searches = status === 404 && skill === undefined && site.served.has('registry')
  return (
    <Page title={`${title} (${status})`} description={message} indexed={false}>
      <div class="stack failure">
        <header>
          <p class="crumbs mono">Error {numberOf(failure) ?? status}</p>
          <h1>{title}</h1>
        </header>
        <p>{message}</p>
        {retryAfter !== undefined && (
          <p>
            Try again in <strong>{duration(retryAfter)}</strong>.
          </p>
        )}
        {skill !== undefined && (
          <p>
            <a href={skill}>Go to the skill</a>
          </p>
        )}
        {(status === 403 || status === 451) && (
          <p>
            <AskOperator /> if you think that this is a mistake.
          </p>
        )}
        {searches && <SearchForm />}
        <p>
          <a href={homePath(site)}>Go to the home page</a>
        </p>
        {requestId !== '' && (
          <p class="muted">
            Request ID <code>{requestId}</code>
            {status >= 500 && '. Include it when you report this.'}
          </p>
        )}
      </div>
    </Page>
  )
}

/** Path of the skill that a missing file, version or comparison belongs to. */
const skillAround = (path: string): string | undefined =>
  /^((?:\/[\w.~%-]+){3})\/(?:view\/.+|diff)$/.exec(path)?.[1]

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
  .set(503, 'Skillpass cannot respond right now.')

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
