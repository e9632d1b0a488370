import type { ServerResponse } from 'node:http'
import type { Db } from '@skillpass/server/db/open'
import { deliver } from '@skillpass/server/webhooks/deliver'
import { type TakenEvent, takeDueEvents } from '@skillpass/server/webhooks/store/events'
import { describe, expect, test } from 'vitest'
import { engines } from '../support/databases.ts'
import {
  allowAndRemove,
  attempted,
  type HookedApp,
  hookApp,
  logOf,
  passMinutes,
  receiverForTest,
  secondNodeForTest,
  serverForTest,
} from '../support/hooked-apps.ts'
import { signatureProblems } from '../support/receiver.ts'
import type { TestServer } from '../support/server.ts'
import { until } from '../support/waiting.ts'

const withoutSender = { SERVICES: 'registry,platform' }

/** The event of an app that is due, for the time of a lease. */
function dueOf({ ctx }: TestServer, app: HookedApp) {
  const now = ctx.steadyNow()
  return { appId: app.id, now, limit: 1, leasedUntil: now + 30_000 }
}

/** Takes the event of an app as a sender does. */
async function take(scene: TestServer, app: HookedApp): Promise<TakenEvent> {
  const [taken] = await scene.ctx.db.write((trx) => takeDueEvents(trx, dueOf(scene, app)))
  if (!taken) throw new Error('Nothing was due.')
  return taken
}

describe.each(engines)('the sender on %s', (engine) => {
  test('sends what processes without one have written, of SERVICES the ones with oauth', async () => {
    const scene = await serverForTest({ engine, env: withoutSender })
    const receiver = await receiverForTest()
    const app = await hookApp(scene, receiver)
    await allowAndRemove(scene, app)
    expect(await logOf(scene, app)).toMatchObject([{ state: 'pending', attempts: [] }])
    const twin = await secondNodeForTest(scene, { SERVICES: 'oauth' })
    await attempted(twin, app, 1)
    // Written later than the first look, by a process that cannot wake the sender.
    await allowAndRemove(scene, app)
    await until('the look of the next second', () => {
      return receiver.deliveries(app.path).length === 2
    })
  })

  if (engine === 'postgres') {
    test('waits for no event that another one is taking: it goes on with the next', async () => {
      const scene = await serverForTest({ engine, env: withoutSender })
      const app = await hookApp(scene, await receiverForTest())
      for (let i = 0; i < 2; i++) await allowAndRemove(scene, app)
      const takeOne = async (trx: Db) =>
        (await takeDueEvents(trx, dueOf(scene, app))).map(({ id }) => id)
      const { db } = scene.ctx
      const [first, second] = await db.write(async (trx) => [
        await takeOne(trx),
        await db.write(takeOne),
      ])
      expect([first?.length, second?.length]).toEqual([1, 1])
      expect(first).not.toEqual(second)
    })
  }

  test('takes up an event of one that died, once its lease has ended', async () => {
    const scene = await serverForTest({ engine, env: withoutSender })
    const receiver = await receiverForTest()
    const app = await hookApp(scene, receiver)
    await allowAndRemove(scene, app)
    const { id, body } = await take(scene, app)
    const twin = await secondNodeForTest(scene)
    const other = await hookApp(twin, receiver)
    await allowAndRemove(twin, other)
    await attempted(twin, other, 1)
    expect(receiver.deliveries(app.path)).toEqual([])
    passMinutes(twin, 0.5)
    await attempted(twin, app, 1)
    const [received] = receiver.deliveries(app.path)
    if (!received) throw new Error('Nothing came.')
    expect({ id: received.headers['webhook-id'], body: received.body }).toEqual({ id, body })
    expect(signatureProblems(received, app.secret, twin.clock.now())).toEqual([])
  })

  test('leaves no trace of an attempt that is broken off: the event is due at once', async () => {
    const scene = await serverForTest({ engine, env: withoutSender })
    const receiver = await receiverForTest()
    const app = await hookApp(scene, receiver)
    await allowAndRemove(scene, app)
    const breakOff = new AbortController()
    receiver.answer(app.path, () => breakOff.abort())
    const event = await take(scene, app)
    expect(await deliver(scene.ctx, event, breakOff.signal)).toBeUndefined()
    expect(await deliver(scene.ctx, await take(scene, app), breakOff.signal)).toBeUndefined()
    expect(receiver.deliveries(app.path)).toHaveLength(1)
    expect(await logOf(scene, app)).toMatchObject([
      { nextAttemptAt: scene.ctx.steadyNow(), state: 'pending', attempts: [] },
    ])
  })

  test('stops with the server while an endpoint hangs, within 5 s, and writes down what it tried', async () => {
    const scene = await serverForTest({ engine })
    const receiver = await receiverForTest()
    const app = await hookApp(scene, receiver)
    receiver.answer(app.path, () => {})
    await allowAndRemove(scene, app)
    await until('the attempt', () => receiver.deliveries(app.path).length === 1)
    const started = performance.now()
    await scene.stop()
    expect(performance.now() - started).toBeLessThan(5000)
    const reader = await secondNodeForTest(scene, withoutSender)
    const [delivery] = await logOf(reader, app)
    expect(delivery).toMatchObject({
      state: 'pending',
      attempts: [{ error: 'No whole answer came within 3 seconds.' }],
    })
  })

  test('counts its attempts by what came of them', async () => {
    const scene = await serverForTest({ engine })
    const receiver = await receiverForTest()
    const [good, unvalidated] = [await hookApp(scene, receiver), await hookApp(scene, receiver)]
    receiver.trust(unvalidated.path, 'another secret')
    for (const app of [good, unvalidated]) {
      await allowAndRemove(scene, app)
      await attempted(scene, app, 1)
    }
    const counted = async () => {
      const { values } = await scene.ctx.metrics.webhooks.get()
      return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
    }
    await expect.poll(counted).toEqual({ delivered: 1, not_validated: 1 })
  })
})

describe.skipIf(!engines.includes('postgres'))('two senders on one Postgres', () => {
  test('deliver each of 120 events, each one once, and both take part', async () => {
    const scene = await serverForTest({ engine: 'postgres' })
    const receiver = await receiverForTest()
    const twin = await secondNodeForTest(scene)
    const apps = await Promise.all(Array.from({ length: 6 }, () => hookApp(scene, receiver)))
    // One sender makes one attempt at a time at an endpoint that is new: the seventh is the other's.
    let held: ServerResponse[] | undefined = []
    for (const { path } of apps) {
      receiver.answer(path, (response) => {
        const open = [...(held ?? []), response]
        held = held && open.length <= apps.length ? open : undefined
        if (!held) for (const one of open) one.writeHead(200).end()
      })
    }
    const emails = ['owner@testAccounts.test', 'member@testAccounts.test']
    for (let round = 0; round < 10; round++) {
      // At the same time, and apps and users one after the other: a removal takes all there is.
      await Promise.all(
        apps.map(async (app, index) => {
          for (const email of emails) {
            await allowAndRemove((round + index) % 2 ? scene : twin, app, email)
          }
        }),
      )
      for (const server of [scene, twin]) server.ctx.webhooks.wake()
    }
    const received = () => apps.flatMap(({ path }) => receiver.deliveries(path))
    const pending = async () => {
      const logs = await Promise.all(apps.map((app) => logOf(scene, app)))
      return logs.flat().filter(({ state }) => state === 'pending').length
    }
    await expect.poll(pending).toBe(0)
    const ids = received().map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(120)
    expect(ids).toHaveLength(120)
    for (const { ctx } of [scene, twin]) {
      const { values } = await ctx.metrics.webhooks.get()
      expect(values).toMatchObject([{ labels: { outcome: 'delivered' } }])
    }
  })
})
