import { execFileSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { launchServer, openDatabase } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { createServerDatabase, engine, type TestDatabase } from '../support/databases.ts'
import { configOf } from '../support/settings.ts'
import { createGate } from '../support/waiting.ts'

/** Creates a named pipe in place of a snapshot. It blocks its reader until `release` is called. */
async function blockingSnapshot() {
  const folder = await temporaryFolder()
  const pipe = join(folder, 'catalogue')
  execFileSync('mkfifo', [pipe])
  let released: Promise<void> | undefined
  const unblock = async () => {
    const handle = await open(pipe, 'w')
    await rm(pipe)
    // The reader may have stopped already.
    await handle.writeFile('no snapshot').catch(() => {})
    await handle.close()
  }
  const release = () => {
    released ??= unblock()
    return released
  }
  return { folder, release }
}

const launch = (database: TestDatabase, env: Record<string, string> = {}) =>
  launchServer(configOf(database, env))

/** Sends a request. Returns status, body and the headers of an error response. */
async function send(url: string, path: string, init?: RequestInit) {
  const response = await fetch(new URL(path, url), { redirect: 'manual', ...init })
  const text = await response.text()
  const { status, headers } = response
  const [retryAfter, begun] = [headers.get('retry-after'), headers.get('skillpass-begun')]
  return { status, retryAfter, begun, text }
}

async function expectUnhealthy(url: string): Promise<void> {
  const { status, text } = await send(url, '/api/v1/health')
  expect([status, JSON.parse(text).status]).toEqual([503, 'unavailable'])
}

test('while its catalogue loads, a server is unhealthy, serves OAuth and returns 503 to registry requests', async () => {
  const database = await createServerDatabase(engine)
  const { folder, release } = await blockingSnapshot()
  const server = await launch(database, { SNAPSHOT_DIR: folder })
  try {
    const { url } = server
    await expect
      .poll(async () => JSON.parse((await send(url, '/health/ready')).text).waitingFor)
      .toEqual(['catalogue'])
    const ready = await send(url, '/health/ready')
    expect([ready.status, JSON.parse(ready.text).status]).toEqual([503, 'starting'])
    expect((await send(url, '/health/live')).status).toBe(200)
    await expectUnhealthy(url)
    const search = await send(url, '/api/v1/skills/search?q=pdf')
    expect([search.status, search.retryAfter, search.begun]).toEqual([503, '1', 'no'])
    expect(JSON.parse(search.text)).toMatchObject({ error: { code: 'UNAVAILABLE' } })
    const page = await send(url, '/', { headers: { accept: 'text/html' } })
    expect([page.status, page.retryAfter]).toEqual([503, '1'])
    expect(page.text).toContain('<h1')
    const token = await send(url, '/oauth/token', { method: 'POST' })
    expect(token.status).toBe(401)
    await release()
    await server.ready
    expect((await send(url, '/health/ready')).status).toBe(200)
    expect((await send(url, '/api/v1/health')).status).toBe(200)
    expect((await send(url, '/api/v1/skills/search?q=pdf')).status).toBe(200)
  } finally {
    await release()
    await server.stop()
    await database.remove()
  }
})

test('while it waits for migrations, a server is live and returns 503 to requests for every service', async () => {
  const database = await createServerDatabase(engine)
  const other = await openDatabase(database.url)
  const [taken, released] = [createGate(), createGate()]
  const migrating = other.write(
    async (trx) => {
      await trx.updateTable('schema_lock').set({ taken: 1 }).execute()
      taken.open()
      await released.opened
    },
    { isLong: true },
  )
  await taken.opened
  const server = await launch(database)
  try {
    const { url } = server
    expect((await send(url, '/health/live')).status).toBe(200)
    const ready = await send(url, '/health/ready')
    expect(JSON.parse(ready.text).waitingFor).toEqual(['migrations', 'catalogue'])
    await expectUnhealthy(url)
    const token = await send(url, '/oauth/token', { method: 'POST' })
    expect([token.status, token.retryAfter]).toEqual([503, '1'])
    expect(JSON.parse(token.text)).toMatchObject({ error: 'temporarily_unavailable' })
    expect((await send(url, '/v2/users/me')).status).toBe(503)
    released.open()
    await migrating
    await server.ready
    expect((await send(url, '/oauth/token', { method: 'POST' })).status).toBe(401)
  } finally {
    released.open()
    await server.stop()
    await other.close()
    await database.remove()
  }
})

test('a server can be stopped while its catalogue loads', async () => {
  const database = await createServerDatabase(engine)
  const { folder, release } = await blockingSnapshot()
  const server = await launch(database, { SNAPSHOT_DIR: folder })
  const stopped = server.stop()
  await release()
  await stopped
  await expect(fetch(server.url)).rejects.toThrow()
  await database.remove()
})
