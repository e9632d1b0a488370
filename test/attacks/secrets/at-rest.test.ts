import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appOf, credentialsOf, declare, password } from '../../support/apps.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { operate, operateJson } from '../../support/commands.ts'
import {
  createServerDatabase,
  createTestDatabase,
  engine,
  type TestDatabase,
} from '../../support/databases.ts'
import { makeMeeting } from '../../support/meetings.ts'
import { authorizeQuery, post } from '../../support/oauth-server.ts'
import { signIn } from '../../support/people.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { encryptionKey } from '../../support/settings.ts'
import { publish } from '../../support/skills.ts'
import { secretsIn } from './logging-server.ts'
import { stored } from './stored.ts'

const newKey = (): string => randomBytes(32).toString('base64')
const email = 'member@acme.test'

const folder = await temporaryFolder()

/** Creates one of each secret that the server can decrypt, and returns them in plain text. */
async function plant(server: TestServer) {
  const applied = await declare(server)
  const { id: appId, secretToken = '' } = appOf(applied, 'Scheduler')
  const passcode = randomBytes(5).toString('hex')
  const meeting = await makeMeeting(server, email, { password: passcode })
  const session = await signIn(server, { email, password })
  const app = credentialsOf(applied, 'Scheduler')
  const state = `planted-${randomBytes(12).toString('hex')}`
  const consent = await session.get(`/oauth/authorize?${authorizeQuery(app, { state })}`)
  const html = await consent.text()
  const device = await post(server, '/oauth/devicecode', {}, { app })
  const userCode = String(device.body.user_code)
  const decide = () => session.submit(html, '/oauth/consent', { decision: 'allow' })
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

/** Returns the secrets of an app and a meeting, decrypted by the server. */
async function readBack({ ctx }: TestServer, appId: string, meetingId: number) {
  const app = ctx.db.read.selectFrom('apps').select('webhook_secret').where('id', '=', appId)
  const { webhook_secret } = await app.executeTakeFirstOrThrow()
  const { uuid, password } = await sealedPasscode(ctx, meetingId)
  const token = ctx.encryption.open('webhook-secret', appId, webhook_secret)
  return { token, passcode: ctx.encryption.open('passcode', uuid, password) }
}

const sealedPasscode = ({ db: { read } }: TestServer['ctx'], id: number) =>
  read
    .selectFrom('meetings')
    .select(['uuid', 'password'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const startOn = (database: TestDatabase, env: Record<string, string> = {}) =>
  startTestServer({ database, env })

test('webhook secrets, state, passcodes and user codes are never stored in plain text', async () => {
  const server = await startTestServer()
  const planted = await plant(server)
  let disk = await stored(server.database)
  if (engine === 'sqlite') {
    const file = join(folder, 'copy.db')
    await server.ctx.db.backup(file)
    disk += await readFile(file, 'latin1')
  }
  expect(secretsIn({ disk }, planted.shown)).toEqual([])
  expect(disk).toMatch(/v1\.[0-9a-f]{12}\./)

  // All of them still work.
  const back = await readBack(server, planted.appId, planted.meetingId)
  expect(back).toEqual({ token: planted.secretToken, passcode: planted.passcode })
  const location = (await planted.decide()).headers.get('location') ?? ''
  expect(new URL(location).searchParams.get('state')).toBe(planted.state)
  const device = await planted.session.get(`/oauth/device/complete/${planted.userCode}`)
  expect(await device.text()).toContain(planted.userCode)
  const { uuid, password } = await sealedPasscode(server.ctx, planted.meetingId)
  const { encryption } = server.ctx
  expect(() => encryption.open('passcode', `not ${uuid}`, password)).toThrow()
  expect(() => encryption.open('oauth-state', uuid, password)).toThrow()
})

test('a key rotation re-encrypts everything while the server runs, and the old key then decrypts nothing', async () => {
  const database = await createServerDatabase(engine)
  onTestFinished(database.remove)
  const first = await startOn(database)
  const { appId, secretToken, meetingId, passcode } = await plant(first)
  await first.stop()
  const key = newKey()
  const env = { ENCRYPTION_KEY: `${key},${encryptionKey}` }
  const server = await startOn(database, env)
  const former = first.ctx.encryption.keyId
  expect(await stored(database)).toContain(`v1.${former}.`)
  let isOver = false
  const statuses = new Set<number>()
  const requesting = (async () => {
    while (!isOver) {
      statuses.add((await server.http(`/meetings/${meetingId}?pwd=${passcode}`)).status)
    }
  })()
  const operator = { url: database.url, env }
  const rotated = await operateJson(operator, 'encryption', 'rotate')
  isOver = true
  await requesting
  const { keyId } = server.ctx.encryption
  expect(rotated).toMatchObject({ keyId, retired: [former] })
  expect([...statuses]).toEqual([200])
  await server.stop()

  const alone = await startOn(database, { ENCRYPTION_KEY: key })
  expect(await readBack(alone, appId, meetingId)).toEqual({ token: secretToken, passcode })
  await alone.stop()
  await expect(startOn(database)).rejects.toThrow(
    /^ENCRYPTION_KEY does not include the key that encrypts this database/,
  )
})

test('the server refuses to start with another ENCRYPTION_KEY, even if nothing is encrypted yet', async () => {
  const database = await createTestDatabase(engine)
  onTestFinished(database.remove)
  await (await startOn(database)).stop()
  await expect(startOn(database, { ENCRYPTION_KEY: newKey() })).rejects.toThrow(
    /^ENCRYPTION_KEY does not include the key that encrypts this database/,
  )
})

test('database, log, snapshot, key and backup are readable only by their owner, whatever the umask', async () => {
  const place = join(folder, 'open', 'deeper')
  const umask = process.umask(0)
  try {
    const server = await startTestServer({
      database: {
        engine: 'sqlite',
        url: `file:${join(place, 'skillpass.db')}`,
        remove: async () => {},
      },
      env: { ENCRYPTION_KEY: '', SNAPSHOT_DIR: join(place, 'snapshot') },
    })
    await publish(await server.agent())
    const modes = new Map<string, string>()
    const collect = async () => {
      for (const name of ['.', '..', ...(await readdir(place, { recursive: true }))]) {
        modes.set(name, ((await stat(join(place, name))).mode & 0o777).toString(8))
      }
    }
    const backup = await operate(server.database, 'backup', join(place, 'copy.db'))
    expect(backup.code).toBe(0)
    await collect()
    // Stopping the server writes a snapshot and removes the log.
    await server.stop()
    await collect()
    const names = [...modes.keys()].join('\n')
    for (const end of ['.db', '.db-wal', '.db-shm', '.db-key', 'copy.db', 'snapshot/catalogue']) {
      expect(names).toMatch(new RegExp(`${end}$`, 'm'))
    }
    const open = [...modes].filter(([, mode]) => mode !== '600' && mode !== '700')
    expect(open).toEqual([])
    expect([modes.get('.'), modes.get('copy.db')]).toEqual(['700', '600'])
  } finally {
    process.umask(umask)
  }
})
