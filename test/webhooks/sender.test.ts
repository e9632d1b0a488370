import { type TakenEvent, takeDueEvents } from '@skillpass/server/internal/store/webhooks'
import { deliver } from '@skillpass/server/internal/webhooks/deliver'
import type { Db } from '@skillpass/server/testing'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import { allowAndRemove, type HookedApp, hookApp } from '../support/hooked-apps.ts'
import { startOAuthServer, startSecondNode } from '../support/oauth-server.ts'
import { signatureProblems } from '../support/receiver.ts'
import type { TestServer } from '../support/server.ts'
import { attempted, logOf, passMinutes, receiverForFile } from './fixture.ts'

const withoutSender = { SERVICES: 'registry,platform' }

const { receiver, answers } = await receiverForFile()

/** Options to take one due event of an app for the length of a lease. */
function dueOf({ ctx }: TestServer, app: HookedApp) {
  const now = ctx.steadyNow()
  return { appId: app.id, now, limit: 1, leasedUntil: now + 30_000 }
}

/** Takes an event of an app like a sender. */
async function take(server: TestServer, app: HookedApp): Promise<TakenEvent> {
  const [taken] = await server.ctx.db.write((trx) => takeDueEvents(trx, dueOf(server, app)))
  if (!taken) throw new Error('Nothing was due.')
  return taken
}

describe.each(engines)('the webhook sender on %s', async (engine) => {
  const server = await startOAuthServer({ engine, env: withoutSender })

  test('the sender of an OAuth process sends events that other processes have written', async () => {
    const app = await hookApp(server, receiver)
    await allowAndRemove(server, app)
    expect(await logOf(server, app)).toMatchObject([{ state: 'pending', attempts: [] }])
    const secondNode = await startSecondNode(server, { SERVICES: 'oauth' })
    await attempted(secondNode, app, 1)
    // Written after the sender's first query, by a process that cannot wake it.
    await allowAndRemove(server, app)
    await expect.poll(() => receiver.deliveries(app.path).length).toBe(2)
  })

  if (engine === 'postgres') {
    test('a sender skips an event that another sender is taking', async () => {
      const app = await hookApp(server, receiver)
      for (let i = 0; i < 2; i++) await allowAndRemove(server, app)
      const takeOne = async (trx: Db) =>
        (await takeDueEvents(trx, dueOf(server, app))).map(({ id }) => id)
      const { db } = server.ctx
      const [first, second] = await db.write(async (trx) => [
        await takeOne(trx),
        await db.write(takeOne),
      ])
      expect([first?.length, second?.length]).toEqual([1, 1])
      expect(first).not.toEqual(second)
    })
  }

  test('a sender takes over an event of a crashed sender once its lease has ended', async () => {
    const app = await hookApp(server, receiver)
    await allowAndRemove(server, app)
    const { id, body } = await take(server, app)
    const secondNode = await startSecondNode(server)
    const other = await hookApp(secondNode, receiver)
    await allowAndRemove(secondNode, other)
    await attempted(secondNode, other, 1)
    expect(receiver.deliveries(app.path)).toEqual([])
    passMinutes(secondNode, 0.5)
    await attempted(secondNode, app, 1)
    const [received] = receiver.deliveries(app.path)
    if (!received) throw new Error('Nothing came.')
    expect({ id: received.headers['webhook-id'], body: received.body }).toEqual({ id, body })
    expect(signatureProblems(received, app.secret, secondNode.clock.now())).toEqual([])
  })

  test('an aborted attempt is not recorded, and its event stays due', async () => {
    const app = await hookApp(server, receiver)
    await allowAndRemove(server, app)
    const breakOff = new AbortController()
    receiver.answer(app.path, () => breakOff.abort())
    const event = await take(server, app)
    expect(await deliver(server.ctx, event, breakOff.signal)).toBeUndefined()
    expect(await deliver(server.ctx, await take(server, app), breakOff.signal)).toBeUndefined()
    expect(receiver.deliveries(app.path)).toHaveLength(1)
    expect(await logOf(server, app)).toMatchObject([
      { nextAttemptAt: server.ctx.steadyNow(), state: 'pending', attempts: [] },
    ])
  })
})

test('a stopping server records the outcome of running attempts', async () => {
  const server = await startOAuthServer()
  const app = await hookApp(server, receiver)
  receiver.answer(app.path, () => {})
  await allowAndRemove(server, app)
  await expect.poll(() => receiver.deliveries(app.path).length).toBe(1)
  const stopping = server.stop()
  answers.expire()
  await stopping
  const reader = await startSecondNode(server, withoutSender)
  expect(await logOf(reader, app)).toMatchObject([
    {
      state: 'pending',
      attempts: [{ error: 'The endpoint did not respond completely within 3 seconds.' }],
    },
  ])
})
