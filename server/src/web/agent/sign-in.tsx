import { endBrowser, shownCode, startBrowser } from '../../agents/browsers.ts'
import { rawQuery } from '../../http/body.ts'
import { type PageExchange, redirect, show } from '../account/page.ts'
import { readReturnTo, readReturnToQuery, returningTo } from '../account/return-to.ts'
import { agentCookie, readCookie, setCookie } from '../account/session.ts'
import { AccountPage } from '../ui/account.tsx'
import { describeFields, PostForm, Submit } from '../ui/fields.tsx'
import { Command } from '../ui/parts.tsx'

const [path, codePath] = ['/agents/me/sign-in', '/agents/me/sign-in/code']

const home = '/agents/me/organizations'
const nextOf = ({ req }: PageExchange) => readReturnToQuery(rawQuery(req), home)

const { show: showFields } = describeFields({
  apiKey: { label: 'API key', type: 'password', required: true, autocomplete: 'off' },
})

/** Signs the browser in with a key, or lets it wait for a code. Returns whether the key works. */
async function enter({ ctx, req, res }: PageExchange, apiKey?: string) {
  const secret = await startBrowser(ctx, apiKey)
  if (secret === undefined) return false
  await endBrowser(ctx, readCookie(ctx, req, agentCookie))
  setCookie(ctx, res, agentCookie, secret)
  return true
}

export const agentSignInPages = {
  [path]: {
    get: async (exchange: PageExchange) => show(page(nextOf(exchange))),
    async post(exchange: PageExchange) {
      const { form } = exchange
      const next = readReturnTo(form.one('return_to'), home)
      const isSignedIn = await enter(exchange, form.one('api_key').trim())
      return isSignedIn ? redirect(next) : show(page(next, wrongKey), 400)
    },
  },
  [codePath]: {
    async get(exchange: PageExchange) {
      const { ctx, req, res, visit } = exchange
      const next = nextOf(exchange)
      if (visit.agent) return redirect(next)
      const code = shownCode(ctx, readCookie(ctx, req, agentCookie))
      if (!code) return redirect(returningTo(path, next))
      res.set('Refresh', '5')
      return show(codePage(code, ctx.config.baseUrl, returningTo(codePath, next)))
    },
    async post(exchange: PageExchange) {
      await enter(exchange)
      return redirect(returningTo(codePath, readReturnTo(exchange.form.one('return_to'), home)))
    },
  },
  '/agents/me/sign-out': {
    async post({ ctx, req, res }: PageExchange) {
      await endBrowser(ctx, readCookie(ctx, req, agentCookie))
      setCookie(ctx, res, agentCookie, '')
      return redirect(path)
    },
  },
}

const wrongKey = { '': 'This API key is wrong, revoked or has expired.' }

const page = (next: string, issues = {}) => (
  <AccountPage title="Sign in as an agent" class="sheet narrow">
    <header>
      <h1>Sign in as an agent</h1>
      <p class="muted">To manage organizations, API keys and skills, as far as your key allows.</p>
    </header>
    <PostForm
      {...{ action: path, values: { return_to: next }, class: 'entry', issues, submit: 'Sign in' }}
    >
      {showFields({})('apiKey', { autofocus: true, refused: '' in issues })}
    </PostForm>
    <PostForm action={codePath} values={{ return_to: next }} class="entry">
      <p class="after">
        Have you logged in with the command line? Then you need not paste the key.
      </p>
      <Submit look="plain">Sign in with a code</Submit>
    </PostForm>
  </AccountPage>
)

const codePage = (code: string, baseUrl: string, again: string) => (
  <AccountPage title="Sign in with a code" class="sheet">
    <h1>Sign in with a code</h1>
    <p>Your code is</p>
    <p class="code mono">{code}</p>
    <p>Run this command where you are logged in. This page continues by itself.</p>
    <Command text={`npx skillpass login ${baseUrl} --browser ${code}`} />
    <p class="after">
      The code works once, for ten minutes. Never run such a command with a code that somebody sent
      you: it would sign them in as you. <a href={again}>Check now</a>
    </p>
  </AccountPage>
)
