import { expect, test } from 'vitest'
import { appOf, callback, credentialsOf, declare, generalApp, makeApp } from '../support/apps.ts'
import { authorizeQuery, codeOf, grantOf } from '../support/oauth-server.ts'
import { startPages } from '../support/pages.ts'
import { hiddenFields } from '../support/people.ts'
import { formWith } from './console.ts'
import { locationOf, textOf } from './responses.ts'

/** Tokens of a user who has allowed an app. */
const allow = (email: string, app: string) =>
  grantOf(pages.server, credentialsOf(pages.applied, app), { email })

const pages = await startPages()

const { server } = pages
const { id: appId } = appOf(pages.applied, 'Scheduler')

test('the page of added apps lists the apps a user allowed and removes one immediately after confirmation', async () => {
  const session = await pages.signIn('member@acme.test')
  expect(await textOf(await session.get('/my/apps'))).toContain('No app has access')
  const { access_token, refresh_token } = await allow('member@acme.test', 'Scheduler')
  const page = await session.get('/my/apps')
  const html = await page.clone().text()
  expect(await textOf(page)).toMatch(/Scheduler Made by Acme, allowed on .* See your profile/)
  expect(html).toMatch(/<button [^>]*name="ask" value="yes">Remove<span class="hidden"> Scheduler/)
  const asked = await session.submit(html, '/my/apps/remove', { app: appId, ask: 'yes' })
  const question = await asked.clone().text()
  expect(await textOf(asked)).toMatch(/^Remove Scheduler \? The app loses access .* Cancel Remove/)
  expect(question).toContain('href="/my/apps"')
  const headers = { authorization: `Bearer ${access_token}` }
  const call = async () => (await server.http('/v2/users/me', { headers })).status
  expect(await call()).toBe(200)
  const removed = await session.submit(question, '/my/apps/remove')
  expect([removed.status, locationOf(removed)]).toEqual([303, '/my/apps?done=removed'])
  expect(await textOf(await session.get('/my/apps?done=removed'))).toContain('The app is removed.')
  expect(await call()).toBe(401)
  const refresh = { grant_type: 'refresh_token', refresh_token }
  expect(await pages.token('Scheduler', refresh)).toMatchObject({ error: 'invalid_grant' })
  // A repeated submit removes nothing, asks nothing and confirms nothing.
  for (const form of [{}, { ask: 'yes' }]) {
    expect(locationOf(await session.submit(html, '/my/apps/remove', form))).toBe('/my/apps')
  }
})

test('an app that was allowed but has not fetched its token is listed with that, and can be removed', async () => {
  const session = await pages.signIn('admin@acme.test')
  const app = credentialsOf(pages.applied, 'Scheduler')
  const code = await codeOf(server, app, { email: 'admin@acme.test' })
  const html = await (await session.get('/my/apps')).text()
  expect(html).toMatch(/Scheduler<.*it has not fetched its token yet, so it has no access/s)
  const removed = await session.submit(html, '/my/apps/remove', { app: appId })
  expect(locationOf(removed)).toBe('/my/apps?done=removed')
  const form = { grant_type: 'authorization_code', code, redirect_uri: callback }
  expect(await pages.token('Scheduler', form)).toMatchObject({ error: 'invalid_grant' })
  await codeOf(server, app, { email: 'admin@acme.test' })
  server.clock.advance(6 * 60_000)
  expect(await textOf(await session.get('/my/apps'))).not.toContain('has not fetched')
})

const { id: directoryId } = appOf(pages.applied, 'Directory')
const removalPath = '/my/apps/remove-for-account'

test('admins see the apps of the whole account and remove them for everyone', async () => {
  const admin = await pages.signIn('admin@acme.test')
  const { access_token } = await allow('owner@acme.test', 'Directory')
  const page = await admin.get('/my/apps')
  const html = await page.clone().text()
  expect(await textOf(page)).toMatch(
    /Directory Made by Acme Allowed by owner@acme.test on .* See the profiles of all users/,
  )
  const asked = await admin.submit(html, removalPath, { app: directoryId, ask: 'yes' })
  const question = await asked.clone().text()
  expect(await textOf(asked)).toMatch(/^Remove Directory for the whole account\?/)
  const removed = await admin.submit(question, removalPath)
  expect([removed.status, locationOf(removed)]).toEqual([303, '/my/apps?done=removed-for-account'])
  const words = await textOf(await admin.get('/my/apps?done=removed-for-account'))
  expect(words).toContain('The app is removed for the whole account.')
  expect(words).not.toContain('Apps of the whole account')
  const headers = { authorization: `Bearer ${access_token}` }
  expect((await server.http('/v2/users/me', { headers })).status).toBe(401)
  expect(locationOf(await admin.submit(html, removalPath))).toBe('/my/apps')
})

test('a member can neither see nor remove the apps of the account, even with the page of an admin', async () => {
  const admin = await pages.signIn('admin@acme.test')
  const member = await pages.signIn('member@acme.test')
  await allow('owner@acme.test', 'Directory')
  expect(await textOf(await member.get('/my/apps'))).not.toContain('whole account')
  const html = await (await admin.get('/my/apps')).text()
  const setRole = (role: 'admin' | 'member') =>
    declare(server, { accounts: [{ name: 'Acme', users: [{ email: 'admin@acme.test', role }] }] })
  await setRole('member')
  const demoted = await admin.submit(html, removalPath)
  await setRole('admin')
  const fields = hiddenFields(html, removalPath)
  const refused = [
    demoted,
    await member.post(removalPath, fields),
    await admin.post(removalPath, { ...fields, csrf: '' }),
    await admin.post(removalPath, { ...fields, app: appOf(pages.applied, 'Franchise').id }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect(await textOf(await admin.get('/my/apps'))).toContain('Directory')
})

const member = await pages.signIn('member@careful.test')
const admin = await pages.signIn('admin@careful.test')
const schedulerPath = pages.authorizePath('Scheduler', { state: 's' })
const formOf = async (decision: string) => {
  const html = await (await admin.get('/my/approvals')).text()
  const fields = `value="${appId}"/><input type="hidden" name="decision" value="${decision}"`
  return formWith(html, '/my/approvals', fields)
}

test('a request that an admin approves leads to consent until the approval is withdrawn after confirmation', async () => {
  const first = await member.get(schedulerPath)
  expect(first.status).toBe(403)
  const html = await first.clone().text()
  expect(await textOf(first)).toContain('Scheduler needs approval')
  expect(html).toContain(`href="${callback}?error=access_denied&amp;state=s"`)
  const asked = await member.submit(html, '/oauth/approval/request')
  expect([asked.status, locationOf(asked)]).toEqual([303, schedulerPath])
  expect(await textOf(await member.get(schedulerPath))).toContain('have not decided yet')

  expect(await textOf(await admin.get('/my/approvals'))).toContain(
    'Scheduler Made by Acme, requested by member@careful.test',
  )
  const [approve, decline] = [await formOf('approve'), await formOf('decline')]
  expect((await admin.submit(approve, '/my/approvals')).status).toBe(303)
  const { refresh_token } = await allow('member@careful.test', 'Scheduler')
  expect((await admin.submit(decline, '/my/approvals')).status).toBe(409)

  const form = await formOf('withdraw')
  expect(form).toMatch(/<button [^>]*name="ask" value="yes">Withdraw/)
  const question = await admin.submit(form, '/my/approvals', { ask: 'yes' })
  expect(await textOf(question.clone())).toMatch(/^Withdraw the approval of Scheduler \?/)
  expect((await member.get(schedulerPath)).status).toBe(200)
  const withdrawn = await admin.submit(await question.text(), '/my/approvals')
  expect(locationOf(withdrawn)).toBe('/my/approvals')
  const refresh = { grant_type: 'refresh_token', refresh_token }
  expect(await pages.token('Scheduler', refresh)).toMatchObject({ code: 4738 })
  expect(await textOf(await member.get(schedulerPath))).toContain('no longer allows this app')
})

test('an admin can approve an app on the page where a user would request it, and continues to consent', async () => {
  const session = await pages.signIn('admin@careful.test')
  const strict = pages.authorizePath('Legacy')
  const html = await (await session.get(strict)).text()
  const response = await session.submit(html, '/my/approvals', { decision: 'approve' })
  expect([response.status, locationOf(response)]).toEqual([303, strict])
  expect((await session.get(strict)).status).toBe(200)
  const forged = { decision: 'approve', return_to: '//evil.test' }
  expect((await session.submit(html, '/my/approvals', forged)).status).toBe(403)
})

test('the approvals page names the scopes an app has added, and approves only what it shows', async () => {
  const { id, clientId } = await makeApp(server, 'Creeping', ['user:read:user'])
  const approve = async (html: string) => {
    const form = formWith(html, '/my/approvals', `value="${id}"`)
    return admin.submit(form, '/my/approvals', { decision: 'approve' })
  }
  const asked = `/oauth/authorize?${authorizeQuery({ clientId })}`
  const grow = (...scopes: string[]) =>
    declare(server, { apps: [generalApp('Creeping', ['user:read:user', ...scopes])] })
  const first = await (await admin.get(asked)).text()
  expect((await approve(first)).status).toBe(303)
  await grow('user:read:token')
  expect(await textOf(await member.get(asked))).toContain(
    'This app has changed since an admin of your account approved it',
  )
  const shown = await admin.get('/my/approvals')
  expect(await textOf(shown.clone())).toContain(
    'Changed since it was approved; new: user:read:token.',
  )
  for (const page of [shown.clone(), await admin.get(asked)]) {
    expect(await textOf(page)).toContain('Start meetings as you New user:read:token')
  }
  await grow('user:read:token', 'user:update:user')
  expect((await approve(await shown.text())).status).toBe(409)
  expect((await approve(await (await admin.get('/my/approvals')).text())).status).toBe(303)
  expect((await member.get(asked)).status).toBe(200)
})

test('only admins decide on approvals, for their own account', async () => {
  expect((await member.get('/my/approvals')).status).toBe(403)
  const stranger = appOf(pages.applied, 'Stranger').id
  const html = await (await member.get(pages.authorizePath('Stranger'))).text()
  const csrf = hiddenFields(html, '/oauth/approval/request').csrf ?? ''
  const tried = await member.post('/my/approvals', { csrf, app: stranger, decision: 'approve' })
  expect(tried.status).toBe(403)
  const elsewhere = await pages.signIn('owner@acme.test')
  expect(await textOf(await elsewhere.get('/my/approvals'))).not.toContain('Scheduler')
})

test('an account requires approvals while its admin setting is on', async () => {
  const session = await pages.signIn('admin@acme.test')
  const user = await pages.signIn('member@acme.test')
  const setting = async (required: Record<string, string>) => {
    const html = await (await session.get('/my/approvals')).text()
    const saved = await session.submit(html, '/my/approvals/setting', required)
    expect([saved.status, locationOf(saved)]).toEqual([303, '/my/approvals?done=saved'])
    return (await session.get('/my/approvals?done=saved')).text()
  }
  const on = await setting({ required: 'on' })
  expect(on).toContain('People can now allow only apps that are approved here')
  expect(on).toMatch(/name="required" value="on" checked/)
  expect(await textOf(await user.get(pages.authorizePath('Scheduler')))).toContain(
    'Scheduler needs approval',
  )
  const { csrf = '' } = hiddenFields(on, '/my/approvals/setting')
  expect((await user.post('/my/approvals/setting', { csrf })).status).toBe(403)
  expect((await session.post('/my/approvals/setting', {})).status).toBe(403)
  expect(await setting({})).not.toMatch(/name="required" value="on" checked/)
  expect((await user.get(pages.authorizePath('Scheduler'))).status).toBe(200)
})
