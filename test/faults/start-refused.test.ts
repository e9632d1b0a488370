import { chmod, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { loadConfig } from '@skillpass/server/config/config'
import SqliteConnection from 'better-sqlite3'
import { expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { runCommand } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = await temporaryFolder()
const databaseUrl = `file:${join(folder, 'fine.db')}`

/** What `serve` says when it cannot: one sentence or two on stderr, no stack, exit code 1. */
async function refusal(options: Partial<Parameters<typeof runCommand>[1]>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['serve'], { databaseUrl, ...options })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).not.toMatch(/^\s+at |node_modules|Error:/m)
  expect(stderr.trim().split('\n').length).toBe(1)
  return stderr
}

test('a second server on the same port says which variable to set', async () => {
  const other = createServer()
  const port = await freePort()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  try {
    expect(await refusal({ port })).toBe(
      `Port ${port} of 127.0.0.1 is already in use. Set PORT to a free one.\n`,
    )
  } finally {
    other.close()
  }
})

test('a bad value is refused by the name of its variable', async () => {
  const env = { RATE_LIMIT_READS_PER_MINUTE: 'many' }
  const sentence = 'RATE_LIMIT_READS_PER_MINUTE must be a whole number from 0 to 1000000.\n'
  expect(await refusal({ env })).toBe(sentence)
})

test.each([
  ['PORT', '99999'],
  ['PORT', 'http'],
  ['PORT', '-1'],
  ['NODE_ENV', 'staging'],
  ['DATABASE_URL', 'mysql://localhost/skillpass'],
  ['DATABASE_URL', 'file:'],
  ['REDIS_URL', 'http://localhost'],
  ['BASE_URL', 'skillpass.test'],
  ['BASE_URL', 'http://user:secret@skillpass.test'],
  ['BASE_URL', 'javascript:alert(1)'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', 'everyone'],
  ['RATE_LIMIT_READS_PER_MINUTE', '-1'],
  ['RATE_LIMIT_WRITES_PER_MINUTE', '1e3'],
  ['RATE_LIMIT_REGISTRATIONS_PER_HOUR', 'many'],
  ['LOG_LEVEL', 'loud'],
  ['AUTHORIZATION_RESPONSE_ISS', 'yes'],
  ['WEBHOOK_ALLOW_PRIVATE_ADDRESSES', '2'],
])('so is %s=%s', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be .+\\.$`))
})

test.each([
  ['on', true],
  ['true', true],
  ['1', true],
  ['off', false],
  ['False', false],
  ['0', false],
])('a boolean variable takes %s', (value, isOn) => {
  const config = loadConfig({
    AUTHORIZATION_RESPONSE_ISS: value,
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: value,
  })
  expect([config.sendsIssuer, config.allowsPrivateWebhooks]).toEqual([isOn, isOn])
})

test.each([
  ['HOST', 'no-such-host.invalid'],
  ['HOST', '203.0.113.7'],
])('%s=%s, which this machine cannot listen on, is refused by its name', async (name, value) => {
  expect(await refusal({ env: { [name]: value } })).toContain('HOST')
})

test('a database that cannot be made says where', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  const url = `file:${join(file, 'skillpass.db')}`
  expect(await refusal({ databaseUrl: url })).toContain(join(file, 'skillpass.db'))
  expect(await refusal({ databaseUrl: `file:${folder}` })).toContain(folder)
})

test('a file that is no database is left alone', async () => {
  const file = join(folder, 'letter.db')
  await writeFile(file, 'Dear database,\n'.repeat(1000))
  expect(await refusal({ databaseUrl: `file:${file}` })).toContain(file)
})

test.skipIf(process.getuid?.() === 0)('a database that may not be written to says so', async () => {
  const file = join(folder, 'read-only.db')
  new SqliteConnection(file).close()
  await chmod(file, 0o444)
  expect(await refusal({ databaseUrl: `file:${file}` })).toContain(file)
})

test('a database that a newer build has migrated is left alone', async () => {
  const file = join(folder, 'newer.db')
  const url = `file:${file}`
  expect((await runCommand(['migrate', 'up'], { databaseUrl: url })).code).toBe(0)
  const db = new SqliteConnection(file)
  db.prepare('insert into schema_migrations (name, applied_at) values (?, ?)').run('9999-later', 1)
  db.close()
  expect(await refusal({ databaseUrl: url })).toContain('newer Skillpass (9999-later)')
})

test('a Postgres that does not answer, or refuses, is named without its password', async () => {
  const port = await freePort()
  for (const [databaseUrl, what] of [
    [`postgres://postgres:pass-word@127.0.0.1:${port}/skillpass`, `127.0.0.1:${port}`],
    ['postgres://postgres:pass-word@no-such-host.invalid/skillpass', 'no-such-host.invalid'],
  ] as const) {
    const said = await refusal({ databaseUrl })
    expect(said).toContain(what)
    expect(said).not.toContain('pass-word')
  }
})
