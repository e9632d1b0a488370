import type { Applied } from '@skillpass/server/operator/apply/apply'
import { callback, credentialsOf, password, testAccounts } from '../support/apps.ts'
import { basic } from '../support/oauth-client.ts'
import { approveDevice, openSession, type Session, signIn } from '../support/people.ts'
import { words } from '../support/words.ts'
import { json, type RecordedService } from './service.ts'

/** Follows links within the site, breadth first. */
export async function crawl(
  { ask }: RecordedService,
  as: string,
  session?: Session,
  first = words('/ /search /resolve /docs /console /sign-in /oauth_device /my/apps'),
) {
  const queue = [...first]
  const seen = new Set(queue)
  const shapes = new Map<string, number>()
  for (let path = queue.shift(); path !== undefined && seen.size < 3000; path = queue.shift()) {
    // A dozen pages of a kind show how it looks.
    const shape = path.replace(/\?.*/, '').split('/').slice(0, 2).join('/') + path.split('/').length
    const count = (shapes.get(shape) ?? 0) + 1
    shapes.set(shape, count)
    if (count > 12) continue
    const headers = { Accept: 'text/html', ...(session && { Cookie: session.cookie() }) }
    const { text, type } = await ask(path, { headers }, as)
    if (!type.startsWith('text/html')) continue
    for (const [, href = ''] of text.matchAll(/href="([^"#]+)/g)) {
      const link = href.replaceAll('&amp;', '&').replace('http://skillpass.test', '')
      if (!link.startsWith('/') || seen.has(link)) continue
      seen.add(link)
      queue.push(link)
    }
  }
}

/** Looks at all pages as five users who are signed in, and gives their browsers. */
export async function crawlSignedIn(service: RecordedService) {
  const opened = new Map<string, Session>()
  const members = words('owner@acme.test admin@acme.test member@acme.test')
  for (const email of [...members, 'admin@careful.test', 'member@careful.test']) {
    const session = await signIn(service, { email, password })
    opened.set(email, session)
    const pages = '/ /my/apps /my/approvals /console /console/new /console/audit /oauth_device'
    await crawl(service, email, session, words(pages))
  }
  return opened
}

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The four grants, refresh, introspection, revocation, and what they refuse. */
export async function runGrants(
  service: RecordedService,
  applied: Applied,
  opened: Map<string, Session>,
) {
  const { ask, clock } = service
  const names = testAccounts.apps.map(({ name }) => name)
  for (const name of names) {
    const app = credentialsOf(applied, name)
    const send = (path: string, parameters: Record<string, string>, as: string = name) =>
      ask(path, formOf(parameters, basic(app)), as)
    for (const [email, session] of opened) {
      const code = await authorize(service, name, app.clientId, email, session)
      const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback }
      const { text, status } = await send('/oauth/token', exchange)
      await send('/oauth/token', exchange, `${name} again`)
      if (status !== 200) continue
      const { refresh_token, access_token } = JSON.parse(text)
      const bearer = { headers: { Authorization: `Bearer ${access_token}` } }
      const reads = '/v2/users/me /v2/users /v2/users/me/meetings /v2/marketplace/apps'
      for (const path of words(reads)) await ask(path, bearer, name)
      const meeting = { topic: 'Weekly', type: 2, start_time: '2027-01-05T10:00:00Z' }
      await ask('/v2/users/me/meetings', json(meeting, access_token), name)
      await send('/oauth/introspect', { token: access_token })
      const refresh = { grant_type: 'refresh_token', refresh_token }
      await send('/oauth/token', refresh)
      await send('/oauth/token', refresh, `${name} again`)
      await send('/oauth/revoke', { token: access_token })
    }
    const account_id = applied.accounts[0]?.id ?? ''
    const grants = ['client_credentials', 'account_credentials', deviceGrant, 'password']
    for (const grant_type of grants) {
      await send('/oauth/token', { grant_type, account_id, device_code: 'none' })
    }
    const device = await send('/oauth/devicecode', { client_id: app.clientId })
    if (device.status !== 200) continue
    const { user_code, device_code } = JSON.parse(device.text)
    const poll = { grant_type: deviceGrant, device_code }
    await send('/oauth/token', poll)
    const session = opened.get('member@acme.test') ?? openSession(service)
    await approveDevice(session, user_code)
    clock.advance(10_000)
    await send('/oauth/token', poll)
  }
  const session = opened.get('member@acme.test')
  await crawl(service, 'member@acme.test after', session, ['/my/apps', '/console'])
}

const formOf = (parameters: Record<string, string>, credential: string): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(parameters).toString(),
  headers: {
    'Content-Type': 'application/x-www-form-urlencoded',
    Authorization: credential,
  },
})

/** Asks for a user's consent and gives it; the code, or `none`. */
async function authorize(
  { ask }: RecordedService,
  name: string,
  client_id: string,
  email: string,
  session: Session,
): Promise<string> {
  const request = { response_type: 'code', client_id, redirect_uri: callback, state: 's' }
  const headers = { Accept: 'text/html', Cookie: session.cookie() }
  const path = `/oauth/authorize?${new URLSearchParams(request)}`
  const page = await ask(path, { headers }, `${email} for ${name}`)
  const decided =
    page.status === 200
      ? await session.submit(page.text, '/oauth/consent', { decision: 'allow' })
      : page
  const location = decided.headers.get('location')
  const code = location && new URL(location, 'http://own.invalid').searchParams.get('code')
  return code ?? 'none'
}
