import { describe, expect, test } from 'vitest'
import { addedBy } from '../support/audit.ts'
import { hasChromium } from '../support/browser.ts'
import { openSession } from '../support/people.ts'
import { startTestServer, type TestAgent } from '../support/server.ts'
import { ask, expectError } from '../support/skills.ts'
import { createVisitor, expectSound } from './visits.ts'

const server = await startTestServer()
const signInPath = '/agents/me/sign-in'
const keysPath = '/agents/me/keys'

/** Opens a browser that an agent is signed in to. */
async function signIn({ apiKey }: Pick<TestAgent, 'apiKey'>) {
  const session = openSession(server)
  const answer = await session.fill(signInPath, signInPath, { api_key: apiKey })
  expect(answer.status).toBe(303)
  return session
}

type Session = Awaited<ReturnType<typeof signIn>>

/** Whether a browser is signed in. */
const isIn = async (session: Session) => (await session.get(keysPath)).status === 200

const createKey = async ({ client }: TestAgent, body: object = {}) =>
  (await client.registry.apiKeys.create({ body: { name: 'other', ...body } })).data

test('a wrong, revoked, expired or missing key signs nobody in', async () => {
  const agent = await server.agent()
  const [revoked, expired] = [
    await createKey(agent),
    await createKey(agent, { expiresAt: new Date(server.clock.now() + 1000).toISOString() }),
  ]
  await agent.client.registry.apiKeys.revoke({ params: { id: revoked.id } })
  server.clock.advance(1000)
  for (const key of ['', 'skp_wrong', revoked.key, expired.key, `${agent.apiKey}x`]) {
    const session = openSession(server)
    const answer = await session.fill(signInPath, signInPath, { api_key: key })
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('This API key is wrong, revoked or has expired.')
    const page = await session.get(keysPath)
    expect(page.headers.get('location')).toBe(`${signInPath}?return_to=%2Fagents%2Fme%2Fkeys`)
  }
})

test('signing out, the end of the key and twelve hours sign a browser out', async () => {
  const agent = await server.agent()
  const key = await createKey(agent)
  const ending = await createKey(agent, {
    expiresAt: new Date(server.clock.now() + 60_000).toISOString(),
  })
  const sessions = [await signIn(agent), await signIn(key2(key)), await signIn(key2(ending))]
  const [left, revoked, expired] = sessions
  const lasting = await signIn(agent)
  const cookie = left?.cookie() ?? ''
  await left?.fill(keysPath, '/agents/me/sign-out')
  await agent.client.registry.apiKeys.revoke({ params: { id: key.id } })
  server.clock.advance(60_000)
  for (const session of [left, revoked, expired]) expect(await isIn(session as Session)).toBe(false)
  expect((await server.http(keysPath, { headers: { cookie } })).status).toBe(303)
  expect(await isIn(lasting)).toBe(true)
  server.clock.advance(12 * 3_600_000)
  expect(await isIn(lasting)).toBe(false)
})

const key2 = ({ key }: { key: string }) => ({ apiKey: key })

test('a browser can do no more than its key, and a blocked agent changes nothing', async () => {
  const agent = await server.agent()
  const reader = await signIn({ apiKey: (await createKey(agent, { access: 'read' })).key })
  expect(await (await reader.get(keysPath)).text()).toContain('This API key has read access')
  const session = await signIn(agent)
  const html = await (await session.get(keysPath)).text()
  await server.moderate('agent block', agent.username)
  const form = { act: 'Create key', name: 'CI', access: 'read', limited_to: '', expires_at: '' }
  const refused = await session.submit(html, keysPath, form)
  expect(refused.status).toBe(403)
  expect(await refused.text()).toContain('The operator has blocked this agent.')
})

test('the API takes no cookie, and forms of other browsers and sites are refused', async () => {
  const agent = await server.agent()
  const session = await signIn(agent)
  const headers = { cookie: session.cookie() }
  expect((await server.http('/api/v1/agents/me', { headers })).status).toBe(401)
  const html = await (await session.get(keysPath)).text()
  const form = { act: 'Create key', name: 'CI', access: 'read', limited_to: '', expires_at: '' }
  const other = await (await (await signIn(agent)).get(keysPath)).text()
  expect((await session.submit(other, keysPath, form)).status).toBe(403)
  expect((await session.submit(html, keysPath, { ...form, csrf: '' })).status).toBe(403)
  const crossSite = { 'sec-fetch-site': 'cross-site' }
  expect((await session.submit(html, keysPath, form, crossSite)).status).toBe(403)
  expect((await session.submit(html, keysPath, form)).status).toBe(303)
  await session.fill(keysPath, '/agents/me/sign-out')
  expect((await session.submit(html, keysPath, form)).status).toBe(403)
  const { total } = await agent.client.registry.apiKeys.list({})
  expect(total).toBe(2)
})

test('only the hash of a browser’s secret is stored, and signing in is in the audit log', async () => {
  const agent = await server.agent('audited')
  const entries = await addedBy(server, async () => {
    const [, secret = ''] = /skillpass_agent=(\w+)/.exec((await signIn(agent)).cookie()) ?? []
    const query = server.ctx.db.read.selectFrom('browser_sessions').selectAll()
    const rows = JSON.stringify(await query.execute())
    expect(rows).toContain('127.0.0')
    expect(rows).not.toContain(secret.slice(12))
  })
  expect(entries).toMatchObject([{ action: 'agent.signed-in', who: agent.id }])
})

test('a code on the page signs the browser in once, within ten minutes', async () => {
  const agent = await server.agent()
  const codePath = `${signInPath}/code`
  const open = async () => {
    const session = openSession(server)
    await session.fill(signInPath, codePath)
    const [, code = ''] =
      /class="code mono">([^<]+)</.exec(await (await session.get(codePath)).text()) ?? []
    return { session, code }
  }
  const approve = (code: string, { client } = agent) =>
    client.registry.agents.signInBrowser({ body: { code } })
  const { session, code } = await open()
  expect(code).toMatch(/^[B-Z]{4}-[B-Z]{4}$/)
  await expect(approve('BBBB-BBBB')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await isIn(session)).toBe(false)
  await approve(code.toLowerCase().replace('-', ' '))
  expect((await session.get(codePath)).headers.get('location')).toBe('/agents/me/organizations')
  expect(await isIn(session)).toBe(true)
  await expect(approve(code, await server.agent())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const [blocked, large] = [await server.agent(), { code: 'x'.repeat(2 ** 21) }]
  await server.operate('agent', 'block', blocked.username, '--reason', 'Spam')
  await expect(approve('BBBB-BBBB', blocked)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const oversized = { key: agent.apiKey, body: large }
  await expectError(
    ask(server, 'POST', '/api/v1/agents/me/browsers', oversized),
    'PAYLOAD_TOO_LARGE',
  )
  const late = await open()
  server.clock.advance(600_000)
  await expect(approve(late.code)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await late.session.get(codePath)).headers.get('location')).toContain(signInPath)
})

describe.skipIf(!hasChromium).each([true, false])('with JavaScript %s', (javaScriptEnabled) => {
  test('an agent signs in, creates a key that is shown until it is copied, and revokes it', async () => {
    const agent = await server.agent()
    const visit = createVisitor(server.url, { javaScriptEnabled })
    const seen = await visit(keysPath)
    const { page } = seen
    const sound = () => javaScriptEnabled && expectSound(seen, server.url, /status of 40[04]/)
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await sound()
    await page.getByLabel('API key').fill('skp_wrong')
    await press('Sign in')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('API key').fill(agent.apiKey)
    await press('Sign in')
    await page.getByLabel('Name').fill('CI')
    await page.getByLabel('Limited to').fill('nobody/here')
    await press('Create key')
    expect(await page.getByRole('alert').innerText()).toContain('nobody/here')
    await sound()
    await page.getByLabel('Limited to').fill(agent.username)
    await page.getByLabel('Expires at').fill('2099-01-31')
    await press('Create key')
    await sound()
    await page.reload()
    const key = await page.locator('code.secret').innerText()
    const { data } = await server.clientFor(key).registry.agents.me()
    expect(data).toMatchObject({
      id: agent.id,
      key: { access: 'read', expiresAt: '2099-01-31T00:00:00.000Z', limitedTo: agent.username },
    })
    await press('I have copied it')
    await page.locator('code.secret').waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)
    await press('Revoke CI')
    await sound()
    await press('Revoke')
    await page.getByText('The key is revoked.').waitFor()
    await press('Revoke registration')
    await page.getByLabel('Keep').check()
    await sound()
    await press('Revoke')
    await page.getByRole('heading', { name: 'Sign in as an agent' }).waitFor()
  })
})
