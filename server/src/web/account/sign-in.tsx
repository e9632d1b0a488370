import { bounds } from '@skillpass/contract'
import { rawQuery } from '../../http/body.ts'
import { countRegistration } from '../../http/rate-limit.ts'
import { authorize } from '../../oauth/authorize.ts'
import { signUp } from '../../people/account.ts'
import { createSession, type Entry, endSession, signIn } from '../../people/sign-in.ts'
import { snakeName } from '../../text/case.ts'
import { AccountPage } from '../ui/account.tsx'
import { Done, describeFields, type FieldIssues, PostForm, Refusal } from '../ui/fields.tsx'
import { AskOperator } from '../ui/operator.tsx'
import { trySaving } from '../ui/saving.ts'
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
      const returnTo = form.one('return_to')
      const typed = { ...fields.read(form), password: form.one('password') }
      const create = () => signUp(ctx, typed, readCookie(ctx, req, browserCookie))
      const saved = await trySaving(
        () => countRegistration(ctx, res, create),
        ([field = '']) => ({ field: snakeName(field) }),
      )
      if (!saved.issues) return enter(exchange, saved.made, returnTo)
      return show(await signUpPage(exchange, returnTo, typed, saved.issues), 400)
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
 * Names the app that waits if `next` is an authorization request, and lets the page's form redirect
 * to it. Otherwise says what an account is for.
 */
async function purposeOf({ ctx, res }: PageExchange, next: string) {
  const [path, query = ''] = next.split(/\?(.*)/s)
  const ahead = path === '/oauth/authorize' ? await authorize(ctx, query, undefined) : undefined
  if (ahead?.kind !== 'sign-in') {
    return 'With an account, you decide what apps may do for you, and make apps of your own.'
  }
  // After sign-in, the authorize endpoint may redirect to the app immediately with an error.
  res.set(accountHeaders(ahead.redirectUri))
  const { name, accountName } = ahead.client.app
  const maker = <span dir="auto">{accountName}</span>
  return ['to continue to ', <strong dir="auto">{name}</strong>, ' by ', maker]
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

type Typed = ReturnType<typeof fields.read>
const empty: Typed = {
  ...{ firstName: '', lastName: '', organization: '', email: '', currentPassword: '' },
  password: '',
}

/** Returns a function that shows the fields with typed values, except passwords. */
export const showFields = (typed: Partial<Typed> = {}, issues: FieldIssues = {}) =>
  fields.show({ ...empty, ...typed, currentPassword: '', password: '' }, issues)

const notes = { 'signed-out': 'You are signed out in every browser.' }

async function signInPage(exchange: PageExchange, next: string, email = '', refusal = '') {
  const { ctx, visit } = exchange
  const user = visit.session?.user
  const field = showFields({ email })
  const describedBy = refusal ? 'refusal' : undefined
  return (
    <AccountPage title="Sign in" class="sheet narrow">
      <header>
        <h1>Sign in</h1>
        <p class="muted">{await purposeOf(exchange, next)}</p>
      </header>
      <Done notes={notes} />
      {user && (
        <p class="aside">
          You are signed in as <strong>{user.email}</strong>. <a href={next}>Continue</a>, or sign
          in as someone else.
        </p>
      )}
      {refusal && <Refusal id="refusal">{refusal}</Refusal>}
      <PostForm action="/sign-in" values={{ return_to: next }} class="entry" submit="Sign in">
        {field('email', { autofocus: email === '', describedBy })}
        {field('password', { autofocus: email !== '', describedBy })}
      </PostForm>
      <ul class="after">
        {ctx.config.allowsSignUp ? (
          <li>
            New here? <a href={returningTo('/sign-up', next)}>Create an account</a>
          </li>
        ) : (
          <li>
            No account? <AskOperator /> for one.
          </li>
        )}
        <li>
          Forgot your password? <AskOperator /> to set a new one.
        </li>
      </ul>
    </AccountPage>
  )
}

async function signUpPage(exchange: PageExchange, next: string, typed = empty, issues = {}) {
  const field = showFields(typed, issues)
  const values = { return_to: next }
  return (
    <AccountPage title="Create an account" class="sheet narrow">
      <header>
        <h1>Create an account</h1>
        <p class="muted">{await purposeOf(exchange, next)}</p>
      </header>
      {exchange.ctx.config.allowsSignUp ? (
        <PostForm action="/sign-up" {...{ values, issues }} class="entry" submit="Create account">
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
      )}
      <ul class="after">
        <li>
          Have an account? <a href={returningTo('/sign-in', next)}>Sign in</a>
        </li>
        <li>
          To <a href="/docs/publish">publish a skill</a>, you need no account.
        </li>
      </ul>
    </AccountPage>
  )
}
