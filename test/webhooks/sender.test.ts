import { describe, expect, test } from 'vitest'
import { addUser } from '../support/apps.ts'
import { engines } from '../support/databases.ts'
import { allowAndRemove, type HookedApp, hookApp } from '../support/hooked-apps.ts'
import { type OAuthServer, startOAuthServer, startSecondNode } from '../support/oauth-server.ts'
import { signatureProblems, status } from '../support/receiver.ts'
import { until } from '../support/waiting.ts'
import { attempted, logOf, passMinutes, receiverForFile } from './fixture.ts'

const { receiver, answers } = await receiverForFile()

const idsOf = ({ path }: HookedApp) =>
  receiver.deliveries(path).map(({ headers }) => headers['webhook-id'])

/** Waits for the next delivery to an app whose endpoint does not respond. */
async function allowAndHang(server: OAuthServer, app: HookedApp) {
  receiver.answer(app.path, () => {})
  await allowAndRemove(server, app)
  await expect.poll(() => receiver.deliveries(app.path).length).toBe(1)
}

describe.each(engines)('the webhook sender on %s', async (engine) => {
  const server = await startOAuthServer({ engine })

  test('the sender of an OAuth process sends events that other processes have written', async () => {
    const app = await hookApp(server, receiver)
    const email = 'leaver@acme.test'
    const id = await addUser(server, email)
    await server.grantOf(app, { email })
    const token = await server.ownTokenOf('Remover', 'Acme')
    const platform = await startSecondNode(server, { SERVICES: 'platform' })
    const { status } = await platform.callWith(token, `/v2/users/${id}`, { method: 'DELETE' })
    expect(status).toBe(204)
    expect(await attempted(server, app, 1)).toMatchObject({ status: 'delivered' })
  })

  test('several senders send each event once', async () => {
    const nodes = [server, await startSecondNode(server), await startSecondNode(server)]
    const app = await hookApp(server, receiver)
    const people = ['owner', 'admin', 'member'].map((name) => `${name}@acme.test`)
    await Promise.all(nodes.map((node, i) => allowAndRemove(node, app, people[i])))
    await until('every event is delivered', async () =>
      (await logOf(server, app)).every((event) => event.status === 'delivered'),
    )
    const written = (await logOf(server, app)).map(({ id }) => id)
    expect(written).toHaveLength(3)
    expect(idsOf(app).toSorted()).toEqual(written.toSorted())
  })

  test('another sender takes over an event once the lease of its sender has ended', async () => {
    const app = await hookApp(server, receiver)
    await allowAndHang(server, app)
    const secondNode = await startSecondNode(server)
    const other = await hookApp(secondNode, receiver)
    await allowAndRemove(secondNode, other)
    await attempted(secondNode, other, 1)
    expect(receiver.deliveries(app.path)).toHaveLength(1)
    receiver.answer(app.path, status(200))
    passMinutes(secondNode, 0.5)
    expect(await attempted(secondNode, app, 1)).toMatchObject({ status: 'delivered' })
    const [first, second] = receiver.deliveries(app.path)
    if (!first || !second) throw new Error('Nothing came.')
    expect(new Set(idsOf(app)).size).toBe(1)
    expect(second.body).toBe(first.body)
    expect(signatureProblems(second, app.secret, secondNode.clock.now())).toEqual([])
    answers.expire()
  })
})

test('a stopping server records the outcome of running attempts', async () => {
  const server = await startOAuthServer()
  const app = await hookApp(server, receiver)
  await allowAndHang(server, app)
  const stopping = server.stop()
  answers.expire()
  await stopping
  const reader = await startSecondNode(server)
  expect(await logOf(reader, app)).toMatchObject([
    {
      status: 'pending',
      attempts: [{ error: 'The endpoint did not respond completely within 3 seconds.' }],
    },
  ])
})

test('an attempt that a stopping server aborts is not recorded, and its event stays due', async () => {
  const server = await startOAuthServer()
  const app = await hookApp(server, receiver)
  await allowAndHang(server, app)
  const stopping = server.stop()
  await until('the time for running attempts ends', () => answers.expire('drain'))
  await stopping
  receiver.answer(app.path, status(200))
  const next = await startSecondNode(server)
  const { attempts } = await attempted(next, app, 1)
  expect(attempts).toMatchObject([{ status: 200 }])
  expect(new Set(idsOf(app)).size).toBe(1)
})
