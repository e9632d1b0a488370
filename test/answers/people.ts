import type { Applied } from '@skillpass/server/operator/apply/apply'
import { callback, credentialsOf, password } from '../support/apps.ts'
import { basic } from '../support/oauth-client.ts'
import { openSession, type Session, signIn } from '../support/people.ts'
import { json, type RecordedService } from './service.ts'

/** Follows links within the site, breadth first. */
export async function crawl(
  { ask }: RecordedService,
  as: string,
  session?: Session,
  first = [
    '/',
    '/search',
    '/resolve',
    '/docs',
    '/console',
    '/sign-in',
    '/oauth_device',
    '/my/apps',
  ],
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
  for (const email of [
    'owner@acme.test',
    'admin@acme.test',
    'member@acme.test',
    'admin@careful.test',
    'member@careful.test',
  ]) {
    const session = await signIn(service, { email, password })
    opened.set(email, session)
    await crawl(service, email, session, [
      '/',
      '/my/apps',
      '/my/approvals',
      '/console',
      '/console/new',
      '/console/audit',
      '/oauth_device',
    ])
  }
  return opened
}

/** The four grants, refresh, introspection, revocation, and what they refuse. */
export async function runGrants(
  service: RecordedService,
  applied: Applied,
  opened: Map<string, Session>,
) {
  const { ask, clock } = service
  const form = (parameters: Record<string, string>, credential?: string): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams(parameters).toString(),
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      ...(credential && { Authorization: credential }),
    },
  })
  const names = [
    'Scheduler',
    'Pocket',
    'Strict',
    'Directory',
    'Franchise',
    'Legacy',
    'Private',
    'Off',
    'Reporter',
    'Stranger',
    'Helper bot',
  ]
  for (const name of names) {
    const app = credentialsOf(applied, name)
    for (const [email, session] of opened) {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: app.clientId,
        redirect_uri: callback,
        state: 's',
      })
      const headers = { Accept: 'text/html', Cookie: session.cookie() }
      const page = await ask(`/oauth/authorize?${query}`, { headers }, `${email} for ${name}`)
      const location =
        page.status === 200
          ? (await session.submit(page.text, '/oauth/consent', { decision: 'allow' })).headers.get(
              'location',
            )
          : page.headers.get('location')
      const code = location
        ? new URL(location, 'http://own.invalid').searchParams.get('code')
        : null
      const exchange = {
        grant_type: 'authorization_code',
        code: code ?? 'none',
        redirect_uri: callback,
      }
      const { text, status } = await ask('/oauth/token', form(exchange, basic(app)), name)
      await ask('/oauth/token', form(exchange, basic(app)), `${name} again`)
      if (status !== 200) continue
      const { refresh_token, access_token } = JSON.parse(text)
      const bearer = { headers: { Authorization: `Bearer ${access_token}` } }
      for (const path of [
        '/v2/users/me',
        '/v2/users',
        '/v2/users/me/meetings',
        '/v2/marketplace/apps',
      ])
        await ask(path, bearer, name)
      await ask(
        '/v2/users/me/meetings',
        json({ topic: 'Weekly', type: 2, start_time: '2027-01-05T10:00:00Z' }, access_token),
        name,
      )
      await ask('/oauth/introspect', form({ token: access_token }, basic(app)), name)
      await ask(
        '/oauth/token',
        form({ grant_type: 'refresh_token', refresh_token }, basic(app)),
        name,
      )
      await ask(
        '/oauth/token',
        form({ grant_type: 'refresh_token', refresh_token }, basic(app)),
        `${name} again`,
      )
      await ask('/oauth/revoke', form({ token: access_token }, basic(app)), name)
    }
    for (const grant of [
      'client_credentials',
      'account_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
      'password',
    ]) {
      await ask(
        '/oauth/token',
        form(
          { grant_type: grant, account_id: applied.accounts[0]?.id ?? '', device_code: 'none' },
          basic(app),
        ),
        name,
      )
    }
    const device = await ask(
      '/oauth/devicecode',
      form({ client_id: app.clientId }, basic(app)),
      name,
    )
    if (device.status !== 200) continue
    const { user_code, device_code } = JSON.parse(device.text)
    const poll = form(
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code },
      basic(app),
    )
    await ask('/oauth/token', poll, name)
    const session = opened.get('member@acme.test') ?? openSession(service)
    const entry = await (await session.get('/oauth_device')).text()
    const page = await session.submit(entry, '/oauth_device', { code: user_code })
    if (page.status === 200)
      await session.submit(await page.text(), '/oauth/device/decision', { decision: 'allow' })
    clock.advance(10_000)
    await ask('/oauth/token', poll, name)
  }
  await crawl(service, 'member@acme.test after', opened.get('member@acme.test'), [
    '/my/apps',
    '/console',
  ])
}
