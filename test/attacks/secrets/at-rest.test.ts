import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrateDown } from '@skillpass/server/db/migrations/migrate'
import { openDatabase } from '@skillpass/server/db/open'
import { passcodeOf } from '@skillpass/server/platform/passcodes'
import { findMeeting } from '@skillpass/server/platform/store/meetings'
import type { Sealed } from '@skillpass/server/secrets/encryption'
import { findEndpoint } from '@skillpass/server/webhooks/store/endpoints'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  appOf,
  callback,
  credentialsOf,
  declare,
  generalApp,
  password,
} from '../../support/apps.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { createTestDatabase, engines, type TestDatabase } from '../../support/databases.ts'
import { meetingOf } from '../../support/meetings.ts'
import { hiddenFields, signIn } from '../../support/people.ts'
import { freePort, runCommand, serverCommand } from '../../support/processes.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { encryptionKey } from '../../support/settings.ts'
import { stored } from './stored.ts'

const newKey = (): string => randomBytes(32).toString('base64')
const email = 'member@testAccounts.test'

/** One user alone: hashing a password takes its time. */
const declaration = {
  accounts: [{ name: 'Acme', users: [{ email, password, role: 'member' }] }],
  apps: [generalApp('Scheduler', ['user:read:user'], { deviceFlow: true })],
} as const

const folder = await temporaryFolder()

/** One of each secret that the server has to read again, as its owner knows it. */
async function plant(server: TestServer) {
  const applied = await declare(server, declaration)
  const { id: appId, secretToken = '' } = appOf(applied, 'Scheduler')
  const passcode = randomBytes(5).toString('hex')
  const meeting = await meetingOf({ ctx: server.ctx, applied }, email, { password: passcode })
  const session = await signIn(server, { email, password })
  const { clientId, clientSecret } = credentialsOf(applied, 'Scheduler')
  const state = `planted-${randomBytes(12).toString('hex')}`
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: callback,
    state,
  })
  const html = await (await session.get(`/oauth/authorize?${query}`)).text()
  const answer = await server.http('/oauth/devicecode', {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ client_id: clientId }),
  })
  const { user_code: userCode } = await answer.json()
  const fields = hiddenFields(html, '/oauth/consent')
  const decide = () => session.post('/oauth/consent', { ...fields, decision: 'allow' })
  const shown: string[] = [secretToken, passcode, state, userCode.replace('-', ''), userCode]
  expect(shown.every((text) => text.length >= 8)).toBe(true)
  return {
    appId,
    secretToken,
    meetingId: meeting.id,
    passcode,
    state,
    userCode,
    decide,
    shown,
    session,
  }
}

/** Which of the secrets lie in a text in plain. */
const plainIn = (text: string, secrets: readonly string[]) =>
  secrets.filter((secret) => text.includes(secret))

/** The secrets of an app and a meeting, as the server reads them. */
async function readBack({ ctx }: TestServer, appId: string, meetingId: number) {
  const endpoint = await findEndpoint(ctx.db.read, appId)
  const meeting = await findMeeting(ctx.db.read, meetingId)
  if (!endpoint || !meeting) throw new Error('nothing to read back')
  const token = ctx.encryption.open('webhook-secret', appId, endpoint.secret)
  return { token, passcode: passcodeOf(ctx, meeting) }
}

const startOn = (database: TestDatabase, env: Record<string, string> = {}) =>
  startTestServer({ database, env })

describe.each(engines)('secrets at rest on %s', (engine) => {
  test('webhook secrets, state, passcodes and user codes are nowhere in plain, and all work', async () => {
    const server = await startTestServer({ engine })
    const planted = await plant(server)
    let disk = await stored(server.database)
    if (engine === 'sqlite') {
      const file = join(folder, 'copy.db')
      await server.ctx.db.backup(file)
      disk += await readFile(file, 'latin1')
    }
    expect(plainIn(disk, planted.shown)).toEqual([])
    expect(disk).toMatch(/v1\.[0-9a-f]{12}\./)

    const back = await readBack(server, planted.appId, planted.meetingId)
    expect(back).toEqual({ token: planted.secretToken, passcode: planted.passcode })
    const location = (await planted.decide()).headers.get('location') ?? ''
    expect(new URL(location).searchParams.get('state')).toBe(planted.state)
    const device = await planted.session.get(`/oauth/device/complete/${planted.userCode}`)
    expect(await device.text()).toContain(planted.userCode)
    const { id, password: sealed } =
      (await findMeeting(server.ctx.db.read, planted.meetingId)) ?? {}
    const open = (row: string, text = sealed) =>
      server.ctx.encryption.open('passcode', row, text as Sealed)
    expect(() => open(`another than ${id}`)).toThrow()
    expect(() => server.ctx.encryption.open('oauth-state', '', sealed as Sealed)).toThrow()
  })

  test('texts of a database from before are sealed at the start, and no trace of them stays', async () => {
    const database = await createTestDatabase(engine)
    onTestFinished(database.remove)
    const first = await startOn(database)
    const planted = await plant(first)
    await first.stop()
    const undone = await runCommand(['encryption', 'undo', '--json'], { databaseUrl: database.url })
    expect(undone.stderr).toBe('')
    expect(JSON.parse(undone.stdout).opened).toBeGreaterThanOrEqual(4)
    const db = await openDatabase(database.url)
    while ((await migrateDown(db)) !== '0012-at-rest');
    const kept = planted.shown.slice(0, 3)
    expect(plainIn(await stored(database), kept)).toEqual(kept)
    await db.close()

    const second = await startOn(database)
    // Postgres keeps dead rows until it vacuums; what a query sees is sealed at once.
    expect(plainIn(await stored(database), kept)).toEqual([])
    expect(await readBack(second, planted.appId, planted.meetingId)).toEqual({
      token: planted.secretToken,
      passcode: planted.passcode,
    })
    await second.stop()
  })

  test('another key stops the start with a sentence that names it', async () => {
    const database = await createTestDatabase(engine)
    onTestFinished(database.remove)
    await (await startOn(database)).stop()
    const other = startOn(database, { ENCRYPTION_KEY: newKey() })
    await expect(other).rejects.toThrow(
      /^ENCRYPTION_KEY is another than the one that this database/,
    )
  })

  test('a rotation seals all anew while the server goes on, and the old key is good for nothing', async () => {
    const database = await createTestDatabase(engine)
    onTestFinished(database.remove)
    const first = await startOn(database)
    const { appId, secretToken, meetingId, passcode } = await plant(first)
    await first.stop()
    const env = { ENCRYPTION_KEY: newKey(), ENCRYPTION_KEY_PREVIOUS: encryptionKey }
    const server = await startOn(database, env)
    const former = first.ctx.encryption.keyId
    expect(await stored(database)).toContain(`v1.${former}.`)
    let isOver = false
    const statuses = new Set<number>()
    const asking = (async () => {
      while (!isOver) {
        statuses.add((await server.http(`/meetings/${meetingId}?pwd=${passcode}`)).status)
      }
    })()
    const rotated = await runCommand(['encryption', 'rotate', '--json'], {
      databaseUrl: database.url,
      env,
    })
    isOver = true
    await asking
    expect(rotated.stderr).toBe('')
    expect(JSON.parse(rotated.stdout)).toMatchObject({
      keyId: server.ctx.encryption.keyId,
      retired: [former],
    })
    expect([...statuses]).toEqual([200])
    await server.stop()

    const alone = await startOn(database, { ENCRYPTION_KEY: env.ENCRYPTION_KEY })
    expect(await readBack(alone, appId, meetingId)).toEqual({ token: secretToken, passcode })
    await alone.stop()
    await expect(startOn(database)).rejects.toThrow('ENCRYPTION_KEY is another')
  })
})

test('production refuses to start without ENCRYPTION_KEY, and with one that is no key', async () => {
  const databaseUrl = `file:${join(folder, 'none.db')}`
  const without = await runCommand(['serve'], { databaseUrl, env: { ENCRYPTION_KEY: '' } })
  expect([without.code, without.stdout]).toEqual([1, ''])
  expect(without.stderr).toMatch(
    /^ENCRYPTION_KEY must be set in production.*openssl rand -base64 32/,
  )
  const short = await runCommand(['serve'], { databaseUrl, env: { ENCRYPTION_KEY: btoa('short') } })
  expect(short.stderr).toMatch(/^ENCRYPTION_KEY must be 32 random bytes in base64/)
  const shown = await runCommand(['config'], { databaseUrl })
  expect(shown.stdout).not.toContain(encryptionKey)
  expect(shown.stdout).toMatch(/ENCRYPTION_KEY +\*{8}/)
})

test('database, log, snapshot, key and backup are for their owner alone, whatever the umask', async () => {
  const place = join(folder, 'open', 'deeper')
  const databaseUrl = `file:${join(place, 'skillpass.db')}`
  const port = await freePort()
  const run = (...args: string[]) =>
    spawn('sh', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, serverCommand, ...args], {
      cwd: folder,
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        PORT: String(port),
        DATABASE_URL: databaseUrl,
        SNAPSHOT_INTERVAL_SECONDS: '1',
        LOG_LEVEL: 'silent',
      },
    })
  const server = run('serve')
  const ended = new Promise((resolve) => server.once('close', resolve))
  try {
    const wanted = ['skillpass.db', 'skillpass.db-wal', 'skillpass.db-shm', 'skillpass.db-key']
    const found = async () =>
      (await readdir(place, { recursive: true }).catch(() => [])).map(String)
    const end = performance.now() + 30_000
    for (;;) {
      const names = await found()
      if (
        names.some((name) => name.endsWith('.part')) &&
        wanted.every((one) => names.includes(one))
      )
        break
      if (performance.now() > end) throw new Error(`only ${names.join(', ')} were made`)
      await pause(50)
    }
    const backup = run('backup', join(place, 'copy.db'))
    await new Promise((resolve) => backup.once('close', resolve))
    server.kill('SIGSTOP')
    const modes: Record<string, string> = {}
    for (const name of ['.', '..', ...(await found())]) {
      const { mode } = await stat(join(place, name))
      modes[name] = (mode & 0o777).toString(8)
    }
    expect(Object.keys(modes)).toContain('copy.db')
    const open = Object.entries(modes).filter(([, mode]) => mode !== '600' && mode !== '700')
    expect(open).toEqual([])
    expect(modes['.']).toBe('700')
    expect(modes['copy.db']).toBe('600')
  } finally {
    server.kill('SIGCONT')
    server.kill('SIGKILL')
    await ended
  }
})
