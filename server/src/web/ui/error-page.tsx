import { markHidden } from '../readme/hidden.ts'
import { counted } from './format.tsx'
import { Page, renderPage } from './layout.tsx'
import { SearchForm } from './search-form.tsx'

export interface ErrorPageData {
  status: number
  /** Number of the error, where it is not the status (OAuth spec §7). */
  code?: number
  /** Whether the page stands among those where people sign in and allow apps. */
  isAccount?: boolean
  /** Heading, without the status. */
  title: string
  /** A sentence with the remedy. */
  message: string
  requestId?: string
  /** Seconds after which the same request may work. */
  retryAfter?: number
}

/** Page of an error, in the look of the others. */
export function renderErrorPage(error: ErrorPageData): string {
  const { status, code = status, title, requestId, retryAfter, isAccount } = error
  // It may quote an address that somebody else has made.
  const message = markHidden(error.message)
  return renderPage(
    <Page
      title={`${title} (${status})`}
      description={message}
      indexed={false}
      headerSearch={status !== 404}
      {...(isAccount && { account: { viewer: undefined } })}
    >
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
        {status === 404 && !isAccount && <SearchForm large />}
        <p>
          {isAccount ? (
            <a href="/my/apps">Go to your apps</a>
          ) : (
            <a href="/">Go to the first page</a>
          )}
        </p>
        {requestId !== undefined && (
          <p class="muted">
            Request <code>{requestId}</code>
            {status >= 500 && ': name it when you report this.'}
          </p>
        )}
      </div>
    </Page>,
  )
}
