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
    const triesAgain = failure.status === 503 && req.method === 'GET'
    const page = <ErrorPage {...{ failure, requestId, triesAgain }} path={req.path} />
    // A request that was rejected early must not query the database for its session.
    const { originalUrl } = req
    const site = await siteOf(failure.neverBegan ? { originalUrl, headers: {} } : req)
    const headers: Record<string, string> = isAccountPath(req.path)
      ? accountHeaders()
      : { 'Content-Security-Policy': pagePolicy }
    if (triesAgain) headers.Refresh = String(Math.max(5, failure.retryAfter ?? 0))
    return { headers, html: renderPage(page, site) }
  },
})

interface ErrorPageProps {
  failure: Failure
  path: string
  requestId: string
  /** Whether the browser opens the page again. */
  triesAgain: boolean
}

function ErrorPage({ failure, path, requestId, triesAgain }: ErrorPageProps) {
  const { status, retryAfter } = failure
  const site = useSite()
  const title = titles[status] ?? 'Something went wrong'
  // The message may quote an address that a stranger wrote.
  const message = markHidden(failure.message || (sentences.get(status) ?? ''))
  const number = numberOf(failure)
  const skill = status === 404 ? skillAround(path) : undefined
  const ask = askAbout(status)
  const area = areas.find(([begin]) => path.startsWith(begin))
  const [place, lead] = area ?? [homePath(site), 'Go to the home page']
  const searches = status === 404 && !skill && !area && site.served.has('registry')
  return (
    <Page title={`${title} (${status})`} description={message} indexed={false}>
      <div class="stack failure">
        <header>
          <p class="crumbs mono">Error {number ?? status}</p>
          <h1>{title}</h1>
        </header>
        <p>{message}</p>
        {status === 429 && retryAfter !== undefined && (
          <p>
            Try again in <strong>{duration(retryAfter)}</strong>.
          </p>
        )}
        {triesAgain && <p>This page tries again by itself.</p>}
        {ask && (
          <p>
            <AskOperator /> {ask}.
          </p>
        )}
        {searches && <SearchForm value={wordsOf(path)} />}
        <ul class="links">
          {skill && (
            <li>
              <a href={skill}>Go to the skill</a>
            </li>
          )}
          {number && (
            <li>
              <a href={`/docs/errors#${number}`}>What error {number} means</a>
            </li>
          )}
          <li>
            <a href={place}>{lead}</a>
          </li>
        </ul>
        {requestId !== '' && (
          <p class="muted">
            Request ID <code>{requestId}</code>
          </p>
        )}
      </div>
    </Page>
  )
}

/** Completes the sentence that says whom to ask. */
function askAbout(status: number): string | undefined {
  if (status === 403 || status === 451) return 'if you think that this is a mistake'
  return status === 500 ? 'if it happens again, and name the request ID below' : undefined
}

/** Pages to continue from, by the beginning of the missing address. */
const areas = [
  ['/console', 'Go to the console'],
  ['/docs', 'Go to the documentation'],
  ['/meetings', 'Enter the meeting number'],
] as const

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
