import { bounds } from '@skillpass/contract'
import type { ComponentChildren } from 'preact'
import { rawQuery } from '../../http/body.ts'
import { applyLimit, countSuccess } from '../../http/rate-limit.ts'
import { authorize } from '../../oauth/authorize.ts'
import { signUp } from '../../people/account.ts'
import { createSession, type Entry, endSession, signIn } from '../../people/sign-in.ts'
import { snakeName } from '../../text/case.ts'
import { AccountPage } from '../ui/account.tsx'
import { Done, describeFields, PostForm, trySaving } from '../ui/fields.tsx'
import { AskOperator } from '../ui/operator.tsx'
import { browserName } from './browser-name.ts'
import { type Answer, accountHeaders, type PageExchange, redirect, show } from './page.ts'
import { readReturnToQuery, returningTo } from './return-to.ts'
import { browserCookie, readCookie, sessionCookie, setCookie } from './session.ts'

const readNext = ({ req }: PageExchange) => readReturnToQuery(rawQuery(req))

export const signInPages = {
  '/sign-in': {
    get: async (exchange: PageExchange) => show(await signInPage(exchange, readNext(exchange))),
    async post(exchange: PageExchange) {
      const { ctx, req, res, form } = exchange
      const returnTo = form.one('return_to')
      const credentials = { email: form.one('email'), password: form.one('password') }
      const outcome = await signIn(ctx, credentials, readCookie(ctx, req, browserCookie))
      if ('user' in outcome) return enter(exchange, outcome, returnTo)
      const { message: refusal, retryAfter } = outcome
      if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
      const page = await signInPage(exchange, returnTo, credentials.email, refusal)
      return show(page, retryAfter === undefined ? 400 : 429)
    },
  },
  '/sign-up': {
    get: async (exchange: PageExchange) => show(await signUpPage(exchange, readNext(exchange))),
    async post(exchange: PageExchange) {
      const { ctx, req, res, form } = exchange
      const next = form.one('return_to')
      const typed = { ...fields.read(form), password: form.one('password') }
      const create = () => signUp(ctx, typed, readCookie(ctx, req, browserCookie))
      async function save() {
        await applyLimit(ctx, res, 'registrationAttempt', ctx.address)
        return countSuccess(ctx, res, 'registration', create)
      }
      const saved = await trySaving(save, ([field = '']) => ({ field: snakeName(field) }))
      if (!saved.issues) return enter(exchange, saved.made, next)
      const { status, retryAfter } = saved.refusal
      if (retryAfter) res.set('Retry-After', String(retryAfter))
      return show(await signUpPage(exchange, next, typed, saved.issues), status)
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

/** Signs a user in with a new session, and redirects to `next`. */
export async function enter(
  { ctx, req, res, visit }: PageExchange,
  { user, known }: Entry,
  next: string,
): Promise<Answer> {
  if (visit.session) await endSession(ctx, visit.session.key)
  const session = await createSession(ctx, user, browserName(req.get('user-agent')))
  setCookie(ctx, res, sessionCookie, session)
  setCookie(ctx, res, browserCookie, known)
  return redirect(next)
}

/**
 * A page on the way to `next`. For an authorization request it names the app and lets the form
 * redirect to it. Otherwise it says what an account is for.
 */
async function entryPage(
  { ctx, res }: PageExchange,
  { title, next, children }: { title: string; next: string; children: ComponentChildren },
) {
  const [path, query = ''] = next.split(/\?(.*)/s)
  const ahead = path === '/oauth/authorize' ? await authorize(ctx, query, undefined) : undefined
  const app = ahead?.kind === 'sign-in' ? ahead.client.app : undefined
  // After sign-in, the authorize endpoint may redirect to the app immediately with an error.
  if (ahead?.kind === 'sign-in') res.set(accountHeaders(ahead.redirectUri))
  return (
    <AccountPage title={title} class="sheet narrow">
      <header>
        <h1>{title}</h1>
        <p class="muted">
          {app ? (
            <>
              to continue to <strong dir="auto">{app.name}</strong> by{' '}
              <span dir="auto">{app.accountName}</span>
            </>
          ) : (
            'With an account, you decide what apps may do for you, and make apps of your own.'
          )}
        </p>
      </header>
      {children}
    </AccountPage>
  )
}

const { password, profile, appName } = bounds
const secret = { type: 'password', required: true } as const

/** Changes that make a field that of a new password. */
export const newPassword = {
  autocomplete: 'new-password',
  hint: `At least ${password.min} characters, ${password.differentCharacters} of them different.`,
}

export const fields = describeFields({
  firstName: { label: 'First name', autocomplete: 'given-name', maxLength: profile.name },
  lastName: { label: 'Last name', autocomplete: 'family-name', maxLength: profile.name },
  organization: {
    label: 'Organization (optional)',
    hint: 'People see it as the maker of your apps. Without one, they see your name.',
    autocomplete: 'organization',
    maxLength: appName,
  },
  email: { label: 'Email', type: 'email', autocomplete: 'username', required: true },
  currentPassword: { ...secret, label: 'Current password', autocomplete: 'current-password' },
  password: { ...secret, label: 'Password', autocomplete: 'current-password' },
})

const notes = { 'signed-out': 'You are signed out in every browser.' }

function signInPage(exchange: PageExchange, next: string, email = '', refusal = '') {
  const user = exchange.visit.session?.user
  const field = fields.show({ email })
  const issues = refusal ? { '': refusal } : {}
  const form = { action: '/sign-in', values: { return_to: next }, issues, class: 'entry' }
  const children = [
    <Done notes={notes} />,
    user && (
      <p class="aside">
        You are signed in as <strong>{user.email}</strong>. <a href={next}>Continue</a>, or sign in
        as someone else.
      </p>
    ),
    <PostForm {...form} submit="Sign in">
      {field('email', { autofocus: email === '', refused: refusal !== '' })}
      {field('password', { autofocus: email !== '', refused: refusal !== '' })}
    </PostForm>,
    <p class="after">
      {exchange.ctx.config.allowsSignUp
        ? ['New here? ', <a href={returningTo('/sign-up', next)}>Create an account</a>]
        : ['No account? ', <AskOperator />, ' for one.']}
      <br />
      Forgot your password? <AskOperator /> to set a new one.
      {exchange.ctx.config.services.has('registry') && [
        <br />,
        <a href="/agents/me/sign-in">Sign in as an agent</a>,
        ' to manage skills.',
      ]}
    </p>,
  ]
  return entryPage(exchange, { title: 'Sign in', next, children })
}

function signUpPage(exchange: PageExchange, next: string, typed = {}, issues = {}) {
  const { allowsSignUp, services } = exchange.ctx.config
  const field = fields.show({ ...typed, password: '' }, issues)
  const form = { action: '/sign-up', values: { return_to: next }, issues, class: 'entry' }
  const children = [
    allowsSignUp ? (
      <PostForm {...form} submit="Create account">
        <div class="pair">
          {field('firstName', { autofocus: true, required: true })}
          {field('lastName')}
        </div>
        {field('organization')}
        {field('email')}
        {field('password', newPassword)}
      </PostForm>
    ) : (
      <p>
        The operator of this server creates the accounts. <AskOperator /> for one.
      </p>
    ),
    <p class="after">
      Have an account? <a href={returningTo('/sign-in', next)}>Sign in</a>
      {services.has('registry') && [
        <br />,
        'To ',
        <a href="/docs/publish">publish a skill</a>,
        ', you need no account.',
      ]}
    </p>,
  ]
  return entryPage(exchange, { title: 'Create an account', next, children })
}
