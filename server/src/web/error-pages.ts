import { type OAuthErrorEntry, oauthErrors, registryErrors } from '@skillpass/contract'
import { type Failure, isOAuthError } from '../errors/failure.ts'
import type { ErrorPages } from '../http/errors.ts'
import { requestIdOf } from '../http/request-log.ts'
import { setAccountHeaders } from './account/page.ts'
import { isAccountPath } from './account-pages.ts'
import { pagePolicy } from './ui/assets.ts'
import { errorPage } from './ui/error-page.tsx'
import { sendPage } from './ui/layout.tsx'
import type { SiteOf } from './ui/site.ts'

/** The pages of failed requests, in the look of the pages around them. */
export const errorPages = (siteOf: SiteOf): ErrorPages => ({
  isPage: isAccountPath,
  async send(failure, req, res) {
    if (isAccountPath(req.path)) setAccountHeaders(res)
    else res.set('Content-Security-Policy', pagePolicy)
    const { status, message, retryAfter } = failure
    const number = numberOf(failure)
    const page = errorPage({
      status,
      ...(number === undefined ? {} : { code: number }),
      title: titles[status] ?? 'Something went wrong',
      message: message || (sentences.get(status) ?? ''),
      requestId: requestIdOf(res),
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(status === 404 ? { skill: skillAround(req.path) } : {}),
    })
    // What never began asks the database nothing either, such as who is signed in.
    const { originalUrl } = req
    sendPage(res, page, await siteOf(failure.neverBegan ? { originalUrl, headers: {} } : req))
  },
})

/** Path of the skill that a missing file, version or comparison belongs to. */
const skillAround = (path: string): string | undefined =>
  /^((?:\/[\w.~%-]+){3})\/(?:view\/.+|diff)$/.exec(path)?.[1]

/** The platform's number of an error, where it has one (OAuth spec §7). */
function numberOf({ code }: Failure): number | undefined {
  const entry: OAuthErrorEntry | undefined = isOAuthError(code) ? oauthErrors[code] : undefined
  return entry?.code
}

/** What a page says of a failure that has no words of its own. */
const sentences = new Map<number, string>(
  Object.values(registryErrors).map(({ status, message }) => [status, message]),
)
  // The page says itself how long to wait.
  .set(429, 'You have sent too many requests.')
  .set(503, 'Skillpass cannot answer right now.')

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
