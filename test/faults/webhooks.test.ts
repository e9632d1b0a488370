import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@skillpass/server/testing'
import { openDatabase } from '@skillpass/server/testing'
import { describe, expect, test } from 'vitest'
import { createTestDatabase, type Engine, engine, engines } from '../support/databases.ts'
import { serverAt } from '../support/oauth-client.ts'
import type { Session } from '../support/people.ts'
import { startProcess } from '../support/processes.ts'
import { seededRandom } from '../support/random.ts'
import { type Receiver, signatureProblems, startReceiver } from '../support/receiver.ts'
import { isLong, reportFigure, roundsOf, seed } from '../support/rounds.ts'
import { until } from '../support/waiting.ts'
import { browserOf, type LoadApp, type LoadFixture, prepareFixture } from './load/fixture.ts'

const removals = roundsOf(30)

describe.each(isLong ? engines : [engine])('kill -9 while users remove apps on %s', (engine) => {
  test('every removal of an app sends a signed event, and repeats have the same id and bytes', async () => {
    const { wrong, kills, ...figures } = await removeUnderKills(engine)
    reportFigure(`${kills} kills (kill -9) on ${engine}: ${JSON.stringify(figures)}`)
    expect(wrong).toEqual([])
    expect(figures).toMatchObject({ removed: removals, events: removals })
    expect(kills).toBeGreaterThan(0)
  })
})

const day = 24 * 3_600_000
const pathOf = ({ name }: { name: string }) => `/${encodeURIComponent(name)}`

/**
 * Lets users remove apps while the server is killed at random moments, mostly during deliveries,
 * and restarted. Then compares the received events with the removals.
 */
async function removeUnderKills(engine: Engine) {
  const random = seededRandom(seed)
  const database = await createTestDatabase(engine)
  const receiver = await startReceiver()
  const db = await openDatabase(database.url)
  const env = { WEBHOOK_ALLOW_PRIVATE_ADDRESSES: 'on', LOG_LEVEL: 'info' }
  const start = (port?: number) =>
    startProcess({ databaseUrl: database.url, env, ...(port === undefined ? {} : { port }) })
  let server = await start()
  const outputs: (() => string)[] = [server.output]
  try {
    const fixture = await prepareFixture(database.url, server.url, 'Hooks', (name) =>
      receiver.url(pathOf({ name })),
    )
    for (const app of fixture.apps) receiver.trust(pathOf(app), app.secretToken)
    let acknowledged = 0
    let started = 0
    let kills = 0
    let isWorking = true
    /**
     * Removals and deliveries until the next kill; few enough for at least one kill in the test.
     */
    const newCountdown = () => Math.min(removals, 30) * (0.25 + random() * 0.4)
    let countdown = newCountdown()
    let killed: Promise<void> | undefined
    const kill = async () => {
      await pause(random() * 10)
      await server.end('SIGKILL')
      kills++
      server = await start(server.port)
      outputs.push(server.output)
      countdown = newCountdown()
      killed = undefined
    }
    const countDown = () => {
      if (--countdown < 0 && isWorking) killed ??= kill()
    }
    for (const app of fixture.apps) {
      receiver.answer(pathOf(app), (response) => {
        countDown()
        response.writeHead(200).end()
      })
    }

    /** Grants an app to a user and removes it, repeatedly. */
    const work = async (userId: string, cookie: string, app: LoadApp) => {
      while (started < removals) {
        started++
        await grant(db, fixture.accountId, userId, app)
        for (;;) {
          await killed
          const browser = browserOf(serverAt(server.url), cookie)
          const status = await remove(browser, app.id).catch(() => undefined)
          if (status === 'gone') break
          if (status === 303) {
            acknowledged++
            countDown()
            break
          }
          await pause(20)
        }
      }
    }
    await Promise.all(
      fixture.userIds.flatMap((userId, i) =>
        fixture.apps.map((app) => work(userId, fixture.cookies[i] ?? '', app)),
      ),
    )
    isWorking = false
    await killed
    await settle(db)
    const { wrong, removed, events } = await verdict(db, fixture, receiver)
    const printed = outputs.map((output) => output()).join('')
    const isLeaked = fixture.apps.some(({ secretToken }) => printed.includes(secretToken))
    if (isLeaked) wrong.push('a secret token is in the log')
    const ids = fixture.apps.flatMap((app) =>
      receiver.deliveries(pathOf(app)).map(({ headers }) => headers['webhook-id']),
    )
    if (acknowledged > removed) wrong.push(`${acknowledged} acknowledged, ${removed} removed`)
    const repeats = ids.length - new Set(ids).size
    return { wrong, kills, acknowledged, removed, events, deliveries: ids.length, repeats }
  } finally {
    await server.end('SIGKILL')
    await receiver.close()
    await db.close()
    await database.remove()
  }
}

const grant = (db: Database, accountId: string, userId: string, app: LoadApp) =>
  db.write((trx) =>
    trx
      .insertInto('grants')
      .values({
        id: randomUUID(),
        client_id: app.clientId,
        app_id: app.id,
        user_id: userId,
        account_id: accountId,
        scopes: 'user:read:user',
        created_at: Date.now(),
      })
      .execute(),
  )

/** Submits Remove on the page of added apps. Returns `gone` if the page no longer lists the app. */
async function remove(browser: Session, appId: string): Promise<number | 'gone'> {
  const response = await browser.get('/my/apps')
  const page = await response.text()
  if (response.status !== 200) return response.status
  const field = page.indexOf(`value="${appId}"`)
  if (field < 0) return 'gone'
  const form = page.slice(page.lastIndexOf('<form', field))
  return (await browser.submit(form, '/my/apps/remove')).status
}

/** Waits until every event is delivered. */
async function settle(db: Database): Promise<void> {
  await until('all events to be delivered', async () => {
    // End the leases of killed senders instead of waiting 30 s.
    if (!isLong) {
      await db.write(async (trx) => {
        const now = Date.now()
        const over = { next_attempt_at: now }
        // A running sender holds a lease for milliseconds, so one older than a second belongs to a
        // killed sender.
        await trx
          .updateTable('webhook_events')
          .set(over)
          .where('next_attempt_at', '>', now)
          .where('next_attempt_at', '<', now + 29_000)
          .execute()
      })
    }
    await pause(100)
    const waiting = await db.read
      .selectFrom('webhook_events')
      .select('id')
      .where('delivered_at', 'is', null)
      .limit(1)
      .execute()
    return waiting.length === 0
  })
}

async function verdict(db: Database, fixture: LoadFixture, receiver: Receiver) {
  const wrong: string[] = []
  const { read } = db
  const events = await read.selectFrom('webhook_events').select(['id', 'app_id', 'body']).execute()
  const grants = await read
    .selectFrom('grants')
    .select(['user_id', 'account_id', 'client_id', 'ended_at'])
    .where('end_reason', '=', 'removed')
    .execute()
  const delivered = new Map(events.map((event) => [keyOf(JSON.parse(event.body).payload), event]))
  for (const { user_id, account_id, client_id, ended_at } of grants) {
    const deauthorization_time = new Date(ended_at ?? 0).toISOString()
    const key = keyOf({ user_id, account_id, client_id, deauthorization_time })
    if (!delivered.delete(key)) wrong.push(`a removal without its event: ${key}`)
  }
  for (const key of delivered.keys()) wrong.push(`an event without its removal: ${key}`)
  const bodies = new Map(events.map(({ id, body }) => [id, body]))
  const came = new Set<string>()
  for (const app of fixture.apps) {
    for (const received of receiver.deliveries(pathOf(app))) {
      const id = String(received.headers['webhook-id'])
      came.add(id)
      if (bodies.get(id) !== received.body) wrong.push(`other bytes, or an unknown id: ${id}`)
      const sentAt = Number(received.headers['x-zm-request-timestamp']) * 1000
      if (Math.abs(Date.now() - sentAt) > day) wrong.push(`a wrong time: ${id}`)
      wrong.push(
        ...signatureProblems(received, app.secretToken, sentAt).map((what) => `${what}: ${id}`),
      )
    }
  }
  for (const { id } of events) if (!came.has(id)) wrong.push(`never came: ${id}`)
  return { wrong, removed: grants.length, events: events.length }
}

const keyOf = (one: Record<string, string>) =>
  [one.user_id, one.account_id, one.client_id, one.deauthorization_time].join(' ')
