import { randomUUID } from 'node:crypto'
import { redeliver, removeOldDeliveries } from '@skillpass/server/webhooks/deliveries'
import { insertEvent } from '@skillpass/server/webhooks/store/events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  allowAndRemove,
  attempted,
  hookApp,
  logOf,
  passMinutes,
  receiverForTest,
} from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { type Receiver, signatureProblems, startReceiver, status } from '../support/receiver.ts'
import { until } from '../support/waiting.ts'

const minute = 60_000

/** Between two redeliveries of an event, ms. */
const gap = 10_000

describe('an event that does not arrive', async () => {
  const server = await startOAuthServer()
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  test('is sent again after 5, 20 and 60 minutes, with the same id and bytes, signed afresh', async () => {
    const app = await hookApp(server, receiver)
    receiver.answer(app.path, status(500))
    await allowAndRemove(server, app)
    const first = await attempted(server, app, 1)
    const times = [server.clock.now()]
    for (const [index, minutes] of [5, 20, 60].entries()) {
      const { nextAttemptAt } = await attempted(server, app, index + 1)
      expect(nextAttemptAt).toBe(server.clock.now() + minutes * minute)
      server.clock.advance(minutes * minute - 1)
      server.ctx.webhooks.wake()
      await server.ctx.db.read.selectFrom('apps').select('id').execute()
      expect(receiver.deliveries(app.path)).toHaveLength(index + 1)
      server.clock.advance(1)
      server.ctx.webhooks.wake()
      await attempted(server, app, index + 2)
      times.push(server.clock.now())
    }
    const sent = receiver.deliveries(app.path)
    expect(sent.map(({ headers }) => headers['webhook-id'])).toEqual(Array(4).fill(first.id))
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1)
    sent.forEach((one, index) => {
      expect(signatureProblems(one, app.secret, times[index] ?? 0)).toEqual([])
    })
    receiver.answer(app.path, status(204))
    passMinutes(server, 180)
    const done = await attempted(server, app, 5)
    expect(done).toMatchObject({
      state: 'delivered',
      nextAttemptAt: null,
      deliveredAt: server.clock.now(),
    })
    expect(done.attempts.map((one) => `${one.number} ${one.status} ${one.error}`)).toEqual([
      ...[1, 2, 3, 4].map((n) => `${n} 500 The endpoint answered 500, in place of 200 or 204.`),
      '5 204 null',
    ])
  })

  test('is tried with growing gaps within three days, then given up; redelivery tries once more', async () => {
    const app = await hookApp(server, receiver)
    receiver.answer(app.path, status(404))
    await allowAndRemove(server, app)
    const created = server.clock.now()
    const gaps: number[] = []
    let delivery = await attempted(server, app, 1)
    while (delivery.nextAttemptAt !== null && gaps.length < 50) {
      gaps.push(delivery.nextAttemptAt - server.clock.now())
      server.clock.advance(gaps.at(-1) ?? 0)
      server.ctx.webhooks.wake()
      delivery = await attempted(server, app, gaps.length + 1)
    }
    const days = (server.clock.now() - created) / (24 * 60 * minute)
    expect(days).toBeGreaterThan(2.5)
    expect(days).toBeLessThanOrEqual(3)
    expect(gaps).toEqual([...new Set(gaps)].sort((a, b) => a - b))
    expect(delivery).toMatchObject({ state: 'failed', deliveredAt: null })

    expect(await redeliver(server.ctx, app.id, delivery.id)).toBe(true)
    const again = await attempted(server, app, gaps.length + 2)
    expect(again).toMatchObject({ state: 'failed', nextAttemptAt: null })
    receiver.answer(app.path, status(200))
    server.clock.advance(gap)
    expect(await redeliver(server.ctx, app.id, delivery.id)).toBe(true)
    expect(await attempted(server, app, gaps.length + 3)).toMatchObject({ state: 'delivered' })
    receiver.answer(app.path, status(500))
    server.clock.advance(gap)
    expect(await redeliver(server.ctx, app.id, delivery.id)).toBe(true)
    const last = await attempted(server, app, gaps.length + 4)
    expect(last).toMatchObject({ state: 'delivered', nextAttemptAt: null })
    expect(new Set(receiver.deliveries(app.path).map(({ body }) => body)).size).toBe(1)
  })

  test('is redelivered to its own app alone', async () => {
    const [app, other] = [await hookApp(server, receiver), await hookApp(server, receiver)]
    await allowAndRemove(server, app)
    const { id } = await attempted(server, app, 1)
    expect(await redeliver(server.ctx, other.id, id)).toBe(false)
    expect(await redeliver(server.ctx, app.id, randomUUID())).toBe(false)
  })

  test('is redelivered once in 10 seconds: asked for again meanwhile, it is due already', async () => {
    const app = await hookApp(server, receiver)
    await allowAndRemove(server, app)
    const { id } = await attempted(server, app, 1)
    expect(await redeliver(server.ctx, app.id, id)).toBe(true)
    await attempted(server, app, 2)
    server.clock.advance(gap - 1)
    for (let i = 0; i < 5; i++) expect(await redeliver(server.ctx, app.id, id)).toBe(true)
    expect((await logOf(server, app))[0]?.nextAttemptAt).toBeNull()
    server.clock.advance(1)
    expect(await redeliver(server.ctx, app.id, id)).toBe(true)
    await attempted(server, app, 3)
    expect(receiver.deliveries(app.path)).toHaveLength(3)
  })

  test('keeps the last 20 attempts in its log, however often it is redelivered', async () => {
    const app = await hookApp(server, receiver)
    await allowAndRemove(server, app)
    let last = (await attempted(server, app, 1)).attempts.at(-1)?.number
    while (last !== 23) {
      server.clock.advance(gap)
      const [{ id } = { id: '' }] = await logOf(server, app)
      await redeliver(server.ctx, app.id, id)
      const next = (last ?? 0) + 1
      await until(`attempt ${next}`, async () => {
        last = (await logOf(server, app))[0]?.attempts.at(-1)?.number
        return last === next
      })
    }
    const [delivery] = await logOf(server, app)
    const numbers = Array.from({ length: 20 }, (_, index) => index + 4)
    expect(delivery?.attempts.map(({ number }) => number)).toEqual(numbers)
    const { kept } = await server.ctx.db.read
      .selectFrom('webhook_attempts')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .where('event_id', '=', delivery?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(Number(kept)).toBe(20)
  })

  test('keeps no removal waiting: nobody listens, or never answers', async () => {
    const hanging = await Promise.all(Array.from({ length: 5 }, () => hookApp(server, receiver)))
    for (const { path } of hanging) receiver.answer(path, () => {})
    const silent = await hookApp(server, receiver)
    const gone = await receiverForTest()
    const deaf = await hookApp(server, gone)
    await gone.close()
    receiver.answer(silent.path, (response) => response.writeHead(200).write('.'))
    const started = performance.now()
    for (const one of [...hanging, silent, deaf]) await allowAndRemove(server, one)
    // Six of them take 3 s each: who waited would take 18 s.
    expect(performance.now() - started).toBeLessThan(12_000)

    const late = 'No whole answer came within 3 seconds.'
    for (const one of [...hanging, silent]) {
      const { attempts } = await attempted(server, one, 1)
      expect(attempts).toMatchObject([{ status: null, error: late }])
      expect(attempts[0]?.durationMs).toBeGreaterThan(2900)
      expect(attempts[0]?.durationMs).toBeLessThan(10_000)
    }
    const { attempts } = await attempted(server, deaf, 1)
    expect(attempts).toMatchObject([{ status: null, error: 'The connection was refused.' }])
  })

  test('keeps no other app waiting: twenty endpoints hang with thirty events each', async () => {
    const hanging = await Promise.all(Array.from({ length: 20 }, () => hookApp(server, receiver)))
    for (const { path } of hanging) receiver.answer(path, () => {})
    const app = await hookApp(server, receiver)
    const createdAt = server.ctx.steadyNow()
    await server.ctx.db.write(async (trx) => {
      for (const { id: appId } of hanging) {
        for (let i = 0; i < 30; i++) {
          const event = { id: randomUUID(), appId, event: 'app_deauthorized', body: '{}' }
          await insertEvent(trx, { ...event, createdAt, trace: null })
        }
      }
    })
    await allowAndRemove(server, app)
    // All attempts at once need 28 s for those that hang.
    await until('the event of the healthy app', () => {
      return receiver.deliveries(app.path).length > 0
    })
    const ids = hanging.map(({ id }) => id)
    await server.ctx.db.write(async (trx) => {
      await trx
        .updateTable('webhook_events')
        .set({ next_attempt_at: null })
        .where('app_id', 'in', ids)
        .execute()
    })
  })

  test('is not read beyond 64 KiB, and a redirect is not followed', async () => {
    const huge = await hookApp(server, receiver)
    const target = await hookApp(server, receiver)
    const redirecting = await hookApp(server, receiver)
    let sent = 0
    receiver.answer(huge.path, (response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      const chunk = Buffer.alloc(16 * 1024, 'x')
      const push = () => {
        while (!response.destroyed && sent < 500_000_000) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', push)
        }
      }
      push()
    })
    receiver.answer(redirecting.path, (response) => {
      response.writeHead(307, { location: receiver.url(target.path) }).end()
    })
    await allowAndRemove(server, huge)
    await allowAndRemove(server, redirecting)
    const { attempts } = await attempted(server, huge, 1)
    expect(attempts).toMatchObject([{ status: 500 }])
    expect(sent).toBeLessThan(20_000_000)
    expect((await attempted(server, redirecting, 1)).attempts).toMatchObject([
      {
        status: 307,
        error: 'The endpoint answered 307, in place of 200 or 204. Redirects are not followed.',
      },
    ])
    expect(receiver.deliveries(target.path)).toEqual([])
  })

  test('leaves nothing of the answer in the log, and goes 30 days after it is done', async () => {
    const app = await hookApp(server, receiver)
    receiver.answer(app.path, (response) => response.writeHead(500).end('planted-answer'))
    await allowAndRemove(server, app)
    expect(JSON.stringify(await attempted(server, app, 1))).not.toContain('planted-answer')
    receiver.answer(app.path, status(200))
    passMinutes(server, 5)
    expect(await attempted(server, app, 2)).toMatchObject({ state: 'delivered' })
    const day = 24 * 60 * minute
    server.clock.advance(30 * day)
    await removeOldDeliveries(server.ctx)
    expect(await logOf(server, app)).toHaveLength(1)
    server.clock.advance(1)
    await removeOldDeliveries(server.ctx)
    expect(await logOf(server, app)).toEqual([])
  })
})
