import { markHidden } from '../readme/hidden.ts'
import { duration } from './format.tsx'
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
  /** Path of the skill that the address belongs to. */
  skill?: string | undefined
  /** Seconds after which the same request may work. */
  retryAfter?: number
}

/** Page of an error, in the look of the others. */
export function errorPage(error: ErrorPageData) {
  const { status, code = status, title, requestId, retryAfter, skill } = error
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
            Try again in <strong>{duration(retryAfter)}</strong>.
          </p>
        )}
        <WayOn skill={skill} searches={status === 404 && skill === undefined} />
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

/** The skill around the address or a search where the address was mistaken, and the way home. */
function WayOn({ skill, searches }: { skill: string | undefined; searches: boolean }) {
  const site = useSite()
  return (
    <>
      {skill !== undefined && (
        <p>
          <a href={skill}>Go to the skill</a>
        </p>
      )}
      {searches && site.served.has('registry') && <SearchForm large />}
      <p>
        <a href={homePath(site)}>Go to the home page</a>
      </p>
    </>
  )
}
