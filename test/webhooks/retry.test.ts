import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { allowAndRemove, hookApp } from '../support/hooked-apps.ts'
import { startOAuthServer } from '../support/oauth-server.ts'
import { signatureProblems, startReceiver, status } from '../support/receiver.ts'
import { attempted, logOf, passMinutes, receiverForFile, redeliver } from './fixture.ts'

const minute = 60_000

/** Parses a time, ms. */
const timeOf = (instant: string | null) => Date.parse(instant ?? '')

/** Minimum time between redeliveries of an event, ms. */
const gap = 10_000

const late = 'The endpoint did not respond completely within 3 seconds.'

const { receiver, answers } = await receiverForFile()

const server = await startOAuthServer()

test('an event is sent again after 5, 20 and 60 minutes with the same id and body, and a new signature', async () => {
  const app = await hookApp(server, receiver)
  receiver.answer(app.path, status(500))
  await allowAndRemove(server, app)
  const first = await attempted(server, app, 1)
  const other = await hookApp(server, receiver)
  /** Waits until the sender has looked for due events: until it sends another one. */
  const look = async () => {
    const { length } = receiver.deliveries(other.path)
    await allowAndRemove(server, other)
    await expect.poll(() => receiver.deliveries(other.path).length).toBe(length + 1)
  }
  const times = [server.clock.now()]
  for (const [index, minutes] of [5, 20, 60].entries()) {
    const { next_attempt_at } = await attempted(server, app, index + 1)
    expect(timeOf(next_attempt_at)).toBe(server.clock.now() + minutes * minute)
    server.clock.advance(minutes * minute - 1)
    await look()
    expect(receiver.deliveries(app.path)).toHaveLength(index + 1)
    server.clock.advance(1)
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
  expect(done).toMatchObject({ status: 'delivered', next_attempt_at: null })
  expect(done.attempts.map(({ status, error }) => `${status} ${error}`)).toEqual([
    ...Array(4).fill('500 The endpoint returned 500 instead of 200 or 204.'),
    '204 null',
  ])
})

test('an event is tried at growing intervals for three days, and once more if it is redelivered', async () => {
  const app = await hookApp(server, receiver)
  receiver.answer(app.path, status(404))
  await allowAndRemove(server, app)
  const created = server.clock.now()
  const gaps: number[] = []
  let delivery = await attempted(server, app, 1)
  while (delivery.next_attempt_at !== null && gaps.length < 50) {
    gaps.push(timeOf(delivery.next_attempt_at) - server.clock.now())
    server.clock.advance(gaps.at(-1) ?? 0)
    delivery = await attempted(server, app, gaps.length + 1)
  }
  const days = (server.clock.now() - created) / (24 * 60 * minute)
  expect(days).toBeGreaterThan(2.5)
  expect(days).toBeLessThanOrEqual(3)
  expect(gaps).toEqual([...new Set(gaps)].sort((a, b) => a - b))
  expect(delivery).toMatchObject({ status: 'failed' })

  await redeliver(server, app, delivery.id)
  const again = await attempted(server, app, gaps.length + 2)
  expect(again).toMatchObject({ status: 'failed', next_attempt_at: null })
})

test('an event is redelivered once in 10 seconds', async () => {
  const app = await hookApp(server, receiver)
  await allowAndRemove(server, app)
  const { id } = await attempted(server, app, 1)
  await redeliver(server, app, id)
  await attempted(server, app, 2)
  server.clock.advance(gap - 1)
  for (let i = 0; i < 5; i++) await redeliver(server, app, id)
  expect((await logOf(server, app))[0]?.next_attempt_at).toBeNull()
  server.clock.advance(1)
  await redeliver(server, app, id)
  await attempted(server, app, 3)
  expect(receiver.deliveries(app.path)).toHaveLength(3)
})

test('a removal does not wait for its webhook', async () => {
  const hanging = await hookApp(server, receiver)
  receiver.answer(hanging.path, () => {})
  const closed = await startReceiver()
  const refusing = await hookApp(server, closed)
  await closed.close()
  for (const app of [hanging, refusing]) await allowAndRemove(server, app)
  expect(await attempted(server, refusing, 1)).toMatchObject({
    attempts: [{ status: null, error: 'The connection was refused.' }],
  })
  expect(await logOf(server, hanging)).toMatchObject([{ status: 'pending', attempts: [] }])
  answers.expire()
  expect(await attempted(server, hanging, 1)).toMatchObject({
    attempts: [{ status: null, error: late }],
  })
  receiver.answer(hanging.path, status(200))
})

test('twenty unresponsive endpoints with thirty events each do not delay another app', async () => {
  const hanging = await Promise.all(Array.from({ length: 20 }, () => hookApp(server, receiver)))
  for (const { path } of hanging) receiver.answer(path, () => {})
  const app = await hookApp(server, receiver)
  const now = server.clock.now()
  const times = { created_at: now, next_attempt_at: now }
  const others = { event: 'app_deauthorized', body: '{}', attempts: 0, trace: null }
  const events = hanging.flatMap(({ id: app_id }) =>
    Array.from({ length: 30 }, () => ({ id: randomUUID(), app_id, ...times, ...others })),
  )
  await server.ctx.db.write((trx) => trx.insertInto('webhook_events').values(events).execute())
  await allowAndRemove(server, app)
  // No attempt at a slow endpoint ends in the meantime.
  expect(await attempted(server, app, 1)).toMatchObject({ status: 'delivered' })
  const ids = hanging.map(({ id }) => id)
  await server.ctx.db.write(async (trx) => {
    const done = { next_attempt_at: null }
    await trx.updateTable('webhook_events').set(done).where('app_id', 'in', ids).execute()
  })
  for (const { path } of hanging) receiver.answer(path, status(200))
  answers.expire()
})

test('at most 64 KiB of a response are read', async () => {
  const huge = await hookApp(server, receiver)
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
  await allowAndRemove(server, huge)
  const { attempts } = await attempted(server, huge, 1)
  expect(attempts).toMatchObject([{ status: 500 }])
  expect(sent).toBeLessThan(20_000_000)
})

test('a delivery contains nothing of the response body and is deleted 30 days after its end', async () => {
  const app = await hookApp(server, receiver)
  receiver.answer(app.path, (response) => response.writeHead(500).end('planted-answer'))
  await allowAndRemove(server, app)
  expect(JSON.stringify(await attempted(server, app, 1))).not.toContain('planted-answer')
  receiver.answer(app.path, status(200))
  passMinutes(server, 5)
  expect(await attempted(server, app, 2)).toMatchObject({ status: 'delivered' })
  const day = 24 * 60 * minute
  server.clock.advance(30 * day)
  await server.runJob('removing old records')
  expect(await logOf(server, app)).toHaveLength(1)
  server.clock.advance(1)
  await server.runJob('removing old records')
  expect(await logOf(server, app)).toEqual([])
})
