import { changePassword, describeAccount, endSessions } from '../../people/account.ts'
import { displayNameOf } from '../../people/serialize.ts'
import { AccountPage, Action, Label } from '../ui/account.tsx'
import { Done, type FieldIssues, PostForm, trySaving } from '../ui/fields.tsx'
import { capitalize, Minute, Section } from '../ui/parts.tsx'
import { redirect, type SignedIn, show, signedIn } from './page.ts'
import { browserCookie, readCookie, sessionCookie, setCookie } from './session.ts'
import { enter, fields, newPassword } from './sign-in.tsx'

export const profilePages = {
  '/account': {
    get: signedIn(async (exchange) => show(await page(exchange))),
    post: signedIn(async (exchange) => {
      const { ctx, req, session, form } = exchange
      const typed = { current: form.one('current_password'), password: form.one('password') }
      const change = () => changePassword(ctx, session, typed, readCookie(ctx, req, browserCookie))
      const saved = await trySaving(change, ([field = '']) => ({ field }))
      if (saved.issues) return show(await page(exchange, saved.issues), 400)
      return enter(exchange, saved.made, '/account?done=changed')
    }),
  },
  '/account/sessions/end': {
    post: signedIn(async ({ ctx, res, session, form }) => {
      const id = form.one('session')
      await endSessions(ctx, session.user, id)
      if (id !== 'all') return redirect('/account?done=ended')
      setCookie(ctx, res, sessionCookie, '')
      return redirect('/sign-in?done=signed-out')
    }),
  },
}

const notes = {
  changed: 'Your password is changed. You are signed out in every other browser.',
  ended: 'That browser is signed out.',
}

/** The signed-in user's details, password and sessions. */
async function page({ ctx, session }: SignedIn, issues: FieldIssues = {}) {
  const { user } = session
  const { name, sessions } = await describeAccount(ctx, session)
  const field = fields.show({}, issues)
  return (
    <AccountPage title="Account" class="list stack">
      <header>
        <h1>Account</h1>
        <p class="lede">
          <span dir="auto">{displayNameOf(user)}</span>, {user.email}. {capitalize(user.role)} of{' '}
          <strong dir="auto">{name}</strong>.
        </p>
      </header>
      <Done notes={notes} />
      <Section id="password-title" title="Password">
        <PostForm action="/account" class="entry" issues={issues} submit="Change password">
          <input type="email" autocomplete="username" value={user.email} readOnly hidden />
          {field('currentPassword')}
          {field('password', { label: 'New password', ...newPassword })}
        </PostForm>
      </Section>
      <Section id="sessions" title="Where you are signed in">
        <ul class="rows">{sessions.map(Row)}</ul>
        <Action action="/account/sessions/end" values={{ session: 'all' }} look="plain">
          Sign out everywhere
        </Action>
      </Section>
    </AccountPage>
  )
}

type Listed = Awaited<ReturnType<typeof describeAccount>>['sessions'][number]

const Row = ({ id, browser, network, startedAt, isCurrent }: Listed) => (
  <li class="row-head">
    <div>
      <h3>
        {browser || 'Unknown browser'} {isCurrent && <span class="badge">This browser</span>}
      </h3>
      <p class="muted">
        Since <Minute at={startedAt} />
        {network && [', from ', <span class="mono">{network}</span>]}
      </p>
    </div>
    {!isCurrent && (
      <Action action="/account/sessions/end" values={{ session: id }} look="plain">
        <Label of={browser}>Sign out</Label>
      </Action>
    )}
  </li>
)
