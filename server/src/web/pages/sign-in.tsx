import { type AppName, PostForm, type Viewer } from '../ui/account.tsx'
import { Refusal, Submit } from '../ui/fields.tsx'
import { AccountPage, renderPage } from '../ui/layout.tsx'

export interface SignInPageData {
  token: string
  /** Where to go on, a path of ours. */
  returnTo: string
  /** The app that the person is on the way to allow. */
  app?: AppName | undefined
  /** What was entered before, and why it was refused. */
  email?: string
  refusal?: string
  /** Who is signed in already. */
  viewer?: Viewer | undefined
}

/** The page where people sign in. */
export function renderSignInPage(data: SignInPageData): string {
  const { app, email = '', refusal, returnTo, viewer } = data
  return renderPage(
    <AccountPage
      title="Sign in"
      description="Sign in to Skillpass."
      class="sheet narrow"
      viewer={viewer}
    >
      <header>
        <h1>Sign in</h1>
        {app && (
          <p class="muted">
            to go on to <strong dir="auto">{app.name}</strong> by{' '}
            <span dir="auto">{app.accountName}</span>
          </p>
        )}
      </header>
      {viewer && (
        <p class="aside">
          You are signed in as <strong>{viewer.email}</strong>. <a href={returnTo}>Go on</a>, or
          sign in as somebody else.
        </p>
      )}
      {refusal !== undefined && <Refusal id="refusal">{refusal}</Refusal>}
      <PostForm
        action="/sign-in"
        token={data.token}
        values={{ return_to: returnTo }}
        class="fields"
      >
        <label for="email">Email</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          value={email}
          autofocus={email === ''}
          aria-describedby={refusal === undefined ? undefined : 'refusal'}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={email !== ''}
          aria-describedby={refusal === undefined ? undefined : 'refusal'}
        />
        <Submit>Sign in</Submit>
      </PostForm>
    </AccountPage>,
  )
}
