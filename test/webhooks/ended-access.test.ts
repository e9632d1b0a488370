import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addUser, declare, password, removeUser } from '../support/apps.ts'
import { decideForCareful, type HookedApp, hookApp } from '../support/hooked-apps.ts'
import { authorizeQuery, startOAuthServer } from '../support/oauth-server.ts'
import { signIn } from '../support/people.ts'
import { signatureProblems } from '../support/receiver.ts'
import { logOf, receiverForFile } from './fixture.ts'

const { receiver } = await receiverForFile()

const server = await startOAuthServer()

const newcomer = async (account = 'Acme') => {
  const email = `${randomUUID()}@acme.test`
  return { email, id: await addUser(server, email, { account }) }
}
/** Waits for `count` events of an app and returns their users. */
const usersOf = async (app: HookedApp, count: number) => {
  await expect.poll(() => receiver.deliveries(app.path).length).toBe(count)
  expect(await logOf(server, app)).toHaveLength(count)
  const received = receiver.deliveries(app.path)
  const problems = received.map((one) => signatureProblems(one, app.secret, server.clock.now()))
  expect(problems.flat()).toEqual([])
  return received.map(({ event }) => event.payload.user_id).sort()
}
const approve = (app: HookedApp) =>
  declare(server, { accounts: [{ name: 'Careful', approvedApps: [app.name] }] })

test('a withdrawn approval causes an event for each user of the account and no other', async () => {
  const app = await hookApp(server, receiver)
  await approve(app)
  const people = [await newcomer('Careful'), await newcomer('Careful')]
  for (const { email } of people) await server.grantOf(app, { email })
  await server.grantOf(app)
  await decideForCareful(server, app, 'withdrawn')
  expect(await usersOf(app, 2)).toEqual(people.map(({ id }) => id).sort())
})

test('a declined approval causes an event for a user who had allowed the app before', async () => {
  const app = await hookApp(server, receiver)
  const person = await newcomer('Careful')
  const require = (requireAppApproval: boolean) =>
    declare(server, { accounts: [{ name: 'Careful', requireAppApproval }] })
  await require(false)
  await server.grantOf(app, { email: person.email })
  await require(true)
  const browser = await signIn(server, { email: person.email, password })
  const html = await (await browser.get(`/oauth/authorize?${authorizeQuery(app)}`)).text()
  await browser.submit(html, '/oauth/approval/request')
  await decideForCareful(server, app, 'declined')
  expect(await usersOf(app, 1)).toEqual([person.id])
})

test('an admin who removes a user causes an event for every public app of the user', async () => {
  const token = await server.ownTokenOf('Remover', 'Acme')
  const [one, two] = [await hookApp(server, receiver), await hookApp(server, receiver)]
  const silent = [
    await hookApp(server, receiver, { visibility: 'private' }),
    await hookApp(server, receiver, { visibility: 'development' }),
  ]
  const { email, id } = await newcomer()
  for (const app of [one, two, ...silent]) await server.grantOf(app, { email })
  await server.grantOf(one, { email })
  await server.grantOf(one)
  const answer = await server.callWith(token, `/v2/users/${id}`, { method: 'DELETE' })
  expect(answer.status).toBe(204)
  expect(await usersOf(one, 1)).toEqual([id])
  expect(await usersOf(two, 1)).toEqual([id])
  for (const app of silent) expect(await logOf(server, app)).toEqual([])
})

test('a user whom the operator removes causes one event, however often the file is applied', async () => {
  const app = await hookApp(server, receiver)
  const { email, id } = await newcomer()
  await server.grantOf(app, { email })
  for (let i = 0; i < 2; i++) await removeUser(server, email)
  expect(await usersOf(app, 1)).toEqual([id])
})
