import { rawQuery } from '../../http/body.ts'
import { authorize } from '../../oauth/authorize.ts'
import { createSession, endSession, signIn } from '../../people/sign-in.ts'
import { AccountPage } from '../ui/account.tsx'
import { PostForm, Refusal, Submit } from '../ui/fields.tsx'
import { accountHeaders, type PageExchange, redirect, show } from './page.ts'
import { readReturnToQuery } from './return-to.ts'
import { browserCookie, readCookie, sessionCookie, setCookie } from './session.ts'

export const signInPages = {
  '/sign-in': {
    get: async (exchange: PageExchange) =>
      show(await signInPage(exchange, readReturnToQuery(rawQuery(exchange.req)))),
    async post(exchange: PageExchange) {
      const { ctx, req, res, visit, form } = exchange
      const returnTo = form.one('return_to')
      const credentials = { email: form.one('email'), password: form.one('password') }
      const known = readCookie(ctx, req, browserCookie)
      const outcome = await signIn(ctx, credentials, known)
      if ('user' in outcome) {
        if (visit.session) await endSession(ctx, visit.session.key)
        setCookie(ctx, res, sessionCookie, await createSession(ctx, outcome.user))
        setCookie(ctx, res, browserCookie, outcome.browser)
        return redirect(returnTo)
      }
      const { message: refusal, retryAfter } = outcome
      if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
      const page = await signInPage(exchange, returnTo, credentials.email, refusal)
      return show(page, retryAfter === undefined ? 400 : 429)
    },
  },
  '/sign-out': {
    async post({ ctx, res, visit: { session } }: PageExchange) {
      if (session) await endSession(ctx, session.key)
      setCookie(ctx, res, sessionCookie, '')
      return redirect('/sign-in')
    },
  },
}

/**
 * The sign-in page. For an authorization request it names the app and lets the form redirect to it.
 */
async function signInPage(
  { ctx, res, visit }: PageExchange,
  next: string,
  email = '',
  refusal = '',
) {
  const [path, query = ''] = next.split(/\?(.*)/s)
  const ahead = path === '/oauth/authorize' ? await authorize(ctx, query, undefined) : undefined
  const app = ahead?.kind === 'sign-in' ? ahead.client.app : undefined
  // After sign-in, the authorize endpoint may redirect to the app immediately with an error.
  if (ahead?.kind === 'sign-in') res.set(accountHeaders(ahead.redirectUri))
  const user = visit.session?.user
  return (
    <AccountPage title="Sign in" class="sheet narrow">
      <header>
        <h1>Sign in</h1>
        {app && (
          <p class="muted">
            to continue to <strong dir="auto">{app.name}</strong> by{' '}
            <span dir="auto">{app.accountName}</span>
          </p>
        )}
      </header>
      {user && (
        <p class="aside">
          You are signed in as <strong>{user.email}</strong>. <a href={next}>Continue</a>, or sign
          in as someone else.
        </p>
      )}
      {refusal && <Refusal id="refusal">{refusal}</Refusal>}
      <PostForm action="/sign-in" values={{ return_to: next }} class="fields">
        <label for="email">Email</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          value={email}
          autofocus={email === ''}
          aria-describedby={refusal ? 'refusal' : undefined}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          autofocus={email !== ''}
          aria-describedby={refusal ? 'refusal' : undefined}
        />
        <Submit>Sign in</Submit>
      </PostForm>
    </AccountPage>
  )
}
