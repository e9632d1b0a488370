import type { JSX } from 'preact'
import { markHidden } from '../readme/hidden.ts'
import { counted } from './format.tsx'
import { Page } from './layout.tsx'
import { SearchForm } from './search-form.tsx'
import { homePath, useSite } from './site.ts'

export interface ErrorPageData {
  status: number
  /** Number of the error, where it is not the status (OAuth spec §7). */
  code?: number
  /** Heading, without the status. */
  title: string
  /** A sentence with the remedy. */
  message: string
  requestId?: string
  /** Seconds after which the same request may work. */
  retryAfter?: number
}

/** Page of an error, in the look of the others. */
export function errorPage(error: ErrorPageData): JSX.Element {
  const { status, code = status, title, requestId, retryAfter } = error
  // It may quote an address that somebody else has made.
  const message = markHidden(error.message)
  return (
    <Page title={`${title} (${status})`} description={message} indexed={false}>
      <div class="stack failure">
        <header>
          <p class="crumbs mono">Error {code}</p>
          <h1>{title}</h1>
        </header>
        <p>{message}</p>
        {retryAfter !== undefined && (
          <p>
            Try again in <strong>{counted(retryAfter, 'second')}</strong>.
          </p>
        )}
        <WayOn searches={status === 404} />
        {requestId !== undefined && (
          <p class="muted">
            Request ID <code>{requestId}</code>
            {status >= 500 && '. Include it when you report this.'}
          </p>
        )}
      </div>
    </Page>
  )
}

/** A search where an address was mistaken, and the way home. */
function WayOn({ searches }: { searches: boolean }) {
  const site = useSite()
  return (
    <>
      {searches && site.served.has('registry') && <SearchForm large />}
      <p>
        <a href={homePath(site)}>Go to the home page</a>
      </p>
    </>
  )
}
