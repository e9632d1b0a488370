import { loadConfig } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { declare, password } from '../support/apps.ts'
import { addedBy } from '../support/audit.ts'
import { type Pages, startPages } from '../support/pages.ts'
import { openSession, signIn } from '../support/people.ts'
import { addressesAt, encryptionKey } from '../support/settings.ts'
import { locationOf, textOf } from './responses.ts'

const pages = await startPages()
const { server } = pages

const ada = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  organization: 'Analytical Engines',
  email: 'ada@engines.test',
  password: 'correct horse battery',
}

/** Opens the sign-up page and submits its form. */
async function trySignUp(changes: Partial<typeof ada>, { on = pages, query = '' } = {}) {
  const session = on.stranger()
  const html = await (await session.get(`/sign-up${query}`)).text()
  const response = await session.submit(html, '/sign-up', { ...ada, ...changes })
  return { session, response }
}

test('signing up makes an account with its owner, signs in and returns to the app that waits', async () => {
  const stranger = pages.stranger()
  const path = pages.authorizePath('Scheduler')
  const signInPath = locationOf(await stranger.get(path))
  const signInHtml = await (await stranger.get(signInPath)).text()
  const [, link = ''] = /href="(\/sign-up[^"]*)"/.exec(signInHtml) ?? []
  const page = await stranger.get(link.replaceAll('&amp;', '&'))
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http:;")
  const html = await page.text()
  expect(html).toContain('to continue to <strong dir="auto">Scheduler</strong>')
  const entries = await addedBy(server, async () => {
    const made = await stranger.submit(html, '/sign-up', ada)
    expect([made.status, locationOf(made)]).toEqual([303, path])
  })
  const actions = entries.map(({ action, note }) => [action, note])
  expect(actions.sort()).toEqual([
    ['account.created', null],
    ['sign-in', null],
    ['user.created', 'owner'],
  ])
  const consent = await stranger.get(path)
  expect([consent.status, await textOf(consent)]).toEqual([
    200,
    expect.stringContaining('signed in as ada@engines.test'),
  ])
  const account = await (await stranger.get('/account')).text()
  expect(account).toMatch(/Ada Lovelace.*ada@engines\.test\. Owner of.*Analytical Engines/s)
  expect((await stranger.get('/console/new')).status).toBe(200)
  await signIn(server, { email: ada.email, password: ada.password })
})

test('an account without an organization has the name of the person', async () => {
  const { session } = await trySignUp({
    ...{ first_name: 'Grace', last_name: 'Hopper', organization: '', email: 'grace@navy.test' },
  })
  expect(await (await session.get('/account')).text()).toMatch(/Owner of.*Grace Hopper/s)
})

await declare(server, { accounts: [{ name: 'Globex', domains: ['globex.test'] }] })

test.each([
  ['an email that has an account', { email: 'MEMBER@acme.test' }, 'email', 'already an account'],
  ['an email that is none', { email: 'ada' }, 'email', 'Must be an email address'],
  ['an email of a claimed domain', { email: 'a@Globex.test' }, 'email', 'Ask its admins'],
  ['a name that is taken', { organization: 'Acme' }, 'organization', 'is taken'],
  ['a lookalike of a name', { organization: 'Асme, Inc.' }, 'organization', 'looks like'],
  ['a reserved name', { organization: 'Skillpass Support' }, 'organization', 'reserved'],
  ['hidden characters', { first_name: 'Ada\u202e' }, 'first_name', 'U+202E'],
  ['no name', { first_name: ' ' }, 'first_name', ''],
  ['a short password', { password: 'abc1234' }, 'password', 'at least 8'],
  ['a password of one letter', { password: 'a'.repeat(12) }, 'password', '5 different'],
  ['a long password', { password: 'abcdefgh'.repeat(40) }, 'password', '200'],
  ['the email as password', { password: 'NEW@engines.test' }, 'password', 'Must not be the email'],
])(
  'a form with %s is refused beside the field, and keeps the rest',
  async (_, changes, field, text) => {
    const email = 'new@engines.test'
    const { response } = await trySignUp({
      organization: 'Fresh Start',
      email,
      password,
      ...changes,
    })
    const html = await response.text()
    expect(response.status).toBe(400)
    const [, mistake] = new RegExp(`id="${field}-mistake">([^<]*)<`).exec(html) ?? []
    expect(mistake).toContain(text)
    expect(html.match(/class="mistake"/g)?.length).toBe(1)
    expect(html.match(/<input[^>]* autofocus/g)).toEqual([
      expect.stringContaining(`name="${field}"`),
    ])
    expect(html).toContain('value="Lovelace"')
    expect(html).not.toMatch(/type="password"[^>]*value="[^"]/)
  },
)

test('signing up never leads to another site', async () => {
  const query = '?return_to=https%3A%2F%2Fevil.test%2F'
  const person = { email: 'eve@engines.test', organization: 'Eve and Sons' }
  const { response } = await trySignUp(person, { query })
  expect(locationOf(response)).toBe('/my/apps')
})

test('a network can create as many accounts as agents, and refused forms do not count', async () => {
  const limited = await startPages({ env: { RATE_LIMIT_REGISTRATIONS_PER_HOUR: '2' } })
  const statusOf = async (number: number, changes = {}) => {
    const person = {
      email: `p${number}@engines.test`,
      organization: `Works of ${number}${'abc'[number]}`,
    }
    return (await trySignUp({ ...person, ...changes }, { on: limited })).response
  }
  const statuses = []
  for (const [number, changes] of [
    [0, {}],
    [1, { password: 'short' }],
    [1, {}],
    [2, {}],
  ] as const) {
    statuses.push((await statusOf(number, changes)).status)
  }
  expect(statuses).toEqual([303, 400, 303, 429])
  const blocked = await statusOf(2)
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
  const html = await blocked.text()
  expect(html).toMatch(/Too many forms came from your network\. Try again in \d+ minutes/)
  expect(html).toContain('value="p2@engines.test"')
})

test('with SIGN_UP=closed, both pages say whom to ask, and the form is refused', async () => {
  const closed: Pages = await startPages({ env: { SIGN_UP: 'closed', OPERATOR_NAME: 'Acme IT' } })
  const stranger = closed.stranger()
  const signInHtml = await (await stranger.get('/sign-in')).text()
  expect(signInHtml).toContain('Ask <bdi>Acme IT</bdi> for one')
  expect(signInHtml).not.toContain('/sign-up')
  const html = await (await stranger.get('/sign-up')).text()
  expect(html).toContain('Ask <bdi>Acme IT</bdi> for one')
  expect(html).not.toContain('action="/sign-up"')
  // A form that was opened before the setting changed.
  const late = openSession({
    http: (path, init) => (init?.method === 'POST' ? closed : pages).server.http(path, init),
  })
  const form = await (await late.get('/sign-up')).text()
  expect((await late.submit(form, '/sign-up', ada)).status).toBe(403)
})

test.each([
  ['development', true],
  ['test', true],
  ['production', false],
] as const)('without SIGN_UP, people can create accounts in %s: %s', (NODE_ENV, allowed) => {
  const env = { NODE_ENV, ENCRYPTION_KEY: encryptionKey, ...addressesAt('https://skillpass.test') }
  expect(loadConfig(env).allowsSignUp).toBe(allowed)
  expect(loadConfig({ ...env, SIGN_UP: 'open' }).allowsSignUp).toBe(true)
})
