import { randomBytes } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig, openDatabase } from '@skillpass/server/testing'
import SqliteConnection from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { operate } from '../support/commands.ts'
import { engines } from '../support/databases.ts'
import { serveHttp } from '../support/http-server.ts'
import { noteLack } from '../support/lacking.ts'
import { createPostgres, dropPostgres, postgresUrl } from '../support/postgres.ts'
import { freePort, startProcess } from '../support/processes.ts'
import { addressesAt, encryptionKey } from '../support/settings.ts'
import { until } from '../support/waiting.ts'
import { startPausingProxy } from './pausing-proxy.ts'

const folder = await temporaryFolder()
const databaseUrl = `file:${join(folder, 'fine.db')}`

/** Expects `serve` to fail with one line on stderr, no stack trace and exit code 1. */
async function refusal(url: string, env: Record<string, string> = {}): Promise<string> {
  const { code, out, err } = await operate({ url, env: { PORT: '0', ...env } }, 'serve')
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).not.toMatch(/^\s+at |node_modules|Error:/m)
  expect(err.trim().split('\n').length).toBe(1)
  return err
}

test('a start on a used port fails and names the variable to set', async () => {
  const { port } = new URL((await serveHttp(() => {})).url)
  expect(await refusal(databaseUrl, { PORT: port })).toBe(
    `Port ${port} on 127.0.0.1 is already in use. Set PORT to a free port.\n`,
  )
})

test.each([
  ['PORT', '99999'],
  ['NODE_ENV', 'staging'],
  ['DATABASE_URL', 'mysql://localhost/skillpass'],
  ['REDIS_URL', 'http://localhost'],
  ['BASE_URL', 'http://user:secret@skillpass.test'],
  ['BASE_URL', 'javascript:alert(1)'],
  ['SIGN_UP', 'yes'],
  ['OPERATOR_NAME', 'Acme\u202e'],
  ['OPERATOR_CONTACT', 'javascript:alert(1)'],
  ['TRUST_PROXY', 'true'],
  ['RATE_LIMIT_WRITES_PER_MINUTE', '1e3'],
  ['AUTHORIZATION_RESPONSE_ISS', 'yes'],
  ['WEBHOOK_ALLOW_PRIVATE_ADDRESSES', '2'],
])('the configuration refuses %s=%s and names the variable', (name, value) => {
  expect(() => loadConfig({ [name]: value })).toThrow(new RegExp(`^${name} must (be|not) .+\\.$`))
})

test('skillpass-server config names every invalid value and every misspelled variable at once', async () => {
  const env = {
    PORT: 'http',
    LOG_LEVEL: 'loud',
    DATABSE_URL: 'postgres://db/skillpass',
    RATE_LIMIT_READ_PER_MINUTE: '10',
    ACCESS_TOKEN_TTL: '60',
    PUBLIC_URL: 'https://skills.example',
    SKILLPASS_PORT: '80',
    SKILLPASS_RATE_LIMIT_READS: '10',
    // Variables of other programs, which resemble none of ours.
    TRUST_PROXIES: '1',
    ...{
      HOSTNAME: 'a',
      REDIS_HOST: 'b',
      API_KEY: 'c',
      ACCESS_TOKEN: 'd',
      OTEL_EXPORTER_HEADERS: 'e',
    },
  }
  const { code, err } = await operate({ url: databaseUrl, env }, 'config')
  expect(code).toBe(1)
  expect(err.trim().split('\n')).toEqual([
    'PORT must be a whole number from 0 to 65535.',
    'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent.',
    'DATABSE_URL is not a variable of the server. Did you mean DATABASE_URL?',
    'RATE_LIMIT_READ_PER_MINUTE is not a variable of the server. Did you mean RATE_LIMIT_READS_PER_MINUTE?',
    'ACCESS_TOKEN_TTL is not a variable of the server. Did you mean ACCESS_TOKEN_TTL_SECONDS?',
    'PUBLIC_URL is not a variable of the server. Did you mean BASE_URL?',
    'SKILLPASS_PORT is not a variable of the server. Did you mean PORT?',
    'SKILLPASS_RATE_LIMIT_READS is not a variable of the server. Did you mean RATE_LIMIT_READS_PER_MINUTE?',
    'TRUST_PROXIES is not a variable of the server. Did you mean TRUST_PROXY?',
  ])
})

/** A database that no server can open. */
const unusable = 'file:/dev/null/skillpass.db'

test('a start in production fails on a misspelled variable, and leaves those of other programs alone', async () => {
  const env = { NODE_ENV: 'production', ...addressesAt('http://localhost:3000') }
  for (const [name, meant] of [
    ['REDIS_URLL', 'REDIS_URL'],
    ['TRUST_PROXI', 'TRUST_PROXY'],
    ['TRUSTED_PROXIES', 'TRUST_PROXY'],
    ['redis_url', 'REDIS_URL'],
    ['SERVICE', 'SERVICES'],
    ['RATE_LIMIT_READ_PER_MINUTE', 'RATE_LIMIT_READS_PER_MINUTE'],
  ] as const) {
    expect(await refusal(databaseUrl, { ...env, [name]: 'x' })).toBe(
      `${name} is not a variable of the server. Did you mean ${meant}? Correct or remove it.\n`,
    )
  }
  const environment = {
    ...{ PATH: '/bin', HOSTNAME: 'a', PORTS: '1', HOSTS: 'b', POST: 'c', npm_config_host: 'd' },
    ...{ APP_URL: 'e', PUBLIC_URL: 'f', DB_URL: 'g', REDIS_PORT: 'tcp://10.0.0.1:6379' },
    ...{ npm_config_log_level: 'h', port: 'i', REDIS_HOST: 'j', OTEL_LOG_LEVEL: 'k' },
    ...{ REDIS_URL: 'redis://m', REDIS_URI: 'redis://m' },
  }
  expect(await refusal(unusable, { ...env, ...environment })).not.toContain('is not a variable')
})

test('a start fails on a misspelled NODE_ENV, because development has demo users and no limits', async () => {
  for (const name of [
    'NODE_EVN',
    'NODE_ENVIRONMENT',
    'node_env',
    'SKILLPASS_NODE_ENV',
    'NODEENV',
  ]) {
    expect(await refusal(databaseUrl, { NODE_ENV: '', [name]: 'production' })).toBe(
      `${name} is not a variable of the server. Did you mean NODE_ENV? Correct or remove it.\n`,
    )
  }
  const environment = { NODE_EVN: 'production', NODE_ENV: 'test', REDIS_URLL: 'x' }
  expect(await refusal(unusable, environment)).not.toContain('is not a variable')
})

test('a start in production requires a key and an https address for each service that it serves', async () => {
  const refused = (env: Record<string, string>) =>
    operate({ url: databaseUrl, env: { NODE_ENV: 'production', PORT: '0', ...env } }, 'serve')
  const nothing = await refused({ ENCRYPTION_KEY: '' })
  expect(nothing.err.match(/^\w+ must be set in production/gm)).toEqual(
    ['ENCRYPTION_KEY', 'BASE_URL', 'AUTH_URL', 'API_URL'].map(
      (name) => `${name} must be set in production`,
    ),
  )
  const { err, code } = await refused({ SERVICES: 'registry', BASE_URL: 'http://skills.example' })
  expect({ err, code }).toEqual({
    err: 'BASE_URL must be an https address in production; only localhost may use http.\n',
    code: 1,
  })
  for (const url of ['https://skills.example', 'http://localhost:3000', 'http://127.0.0.1']) {
    const production = { NODE_ENV: 'production', ENCRYPTION_KEY: encryptionKey }
    expect(loadConfig({ ...production, ...addressesAt(url) }).baseUrl).toBe(url)
  }
})

const secure = randomBytes(32)
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const guessable = {
  'of zeros': Buffer.alloc(32),
  'of ones': Buffer.alloc(32, 255),
  'of one letter': Buffer.alloc(32, 'a'),
  'that repeats four bytes': Buffer.alloc(32, secure.subarray(0, 4)),
  'that repeats twelve bytes': Buffer.alloc(32, secure.subarray(0, 12)),
  'that repeats sixteen bytes': Buffer.alloc(32, secure.subarray(0, 16)),
  'of words': Buffer.alloc(32, 'correct horse battery staple pas'),
  'of Cyrillic words': Buffer.alloc(32, 'верная лошадь батарея скрепка'),
  'of hexadecimal digits': Buffer.alloc(32, secure.toString('hex')),
  'whose base64 is words': Buffer.from('correcthorse-battery-staple-2027-skillpass1', 'base64'),
  'that counts up': Uint8Array.from({ length: 32 }, (_, at) => at),
  'that counts down in steps': Uint8Array.from({ length: 32 }, (_, at) => 250 - 3 * at),
  'of hexadecimal digits in order': Buffer.alloc(32, '0123456789abcdef'),
  'that says changeme': Buffer.alloc(32, 'changeme'),
  'that says please change me': Buffer.alloc(32, 'please-change-me! '),
  'that says my secret key': Buffer.alloc(32, 'this is my very secret key: 42! '),
}

test.each(Object.entries(guessable))('a guessable ENCRYPTION_KEY %s only decrypts', (_, bytes) => {
  for (const NODE_ENV of ['development', 'production', 'test']) {
    const load = (key: string) =>
      loadConfig({ NODE_ENV, ENCRYPTION_KEY: key, ...addressesAt('https://x.example') })
    expect(() => load(base64(bytes))).toThrow(/^ENCRYPTION_KEY must be 32 random bytes[^\n]*$/)
    expect(() => load(`${base64(bytes)},${base64(secure)}`)).toThrow('random')
    expect(load(`${base64(secure)}, ${base64(bytes)}`).encryptionKeys).toHaveLength(2)
  }
})

test.each([
  ['HOST', 'no-such-host.invalid'],
  ['HOST', '203.0.113.7'],
])('a start with %s=%s, not an address of this machine, names HOST', async (name, value) => {
  expect(await refusal(databaseUrl, { [name]: value })).toContain('HOST')
})

test('a start that cannot create its database fails and names the file', async () => {
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  const url = `file:${join(file, 'skillpass.db')}`
  expect(await refusal(url)).toContain(join(file, 'skillpass.db'))
  expect(await refusal(`file:${folder}`)).toContain(folder)
})

test('a start on a damaged database fails and names the commands that check and restore it', async () => {
  const file = join(folder, 'damaged.db')
  const url = `file:${file}`
  expect((await operate({ url }, 'migrate', 'up')).code).toBe(0)
  const bytes = await readFile(file)
  // Keep the first page, which has the file header, and destroy the rest.
  await writeFile(file, bytes.fill(0xff, 4096))
  const message = await refusal(url)
  expect(message).toContain(`${file} is damaged.`)
  expect(message).toContain('skillpass-server check')
  expect(message).toContain('skillpass-server restore FILE')
})

test('a start on a locked database fails and names the file', async () => {
  const file = join(folder, 'locked.db')
  const other = new SqliteConnection(file)
  try {
    other.exec('begin exclusive')
    expect(await refusal(`file:${file}`)).toContain(`${file} is locked by another process.`)
  } finally {
    other.close()
  }
})

const isRoot = process.getuid?.() === 0
if (isRoot) noteLack('a user whom file modes bind', 'run as a user other than root')

test.skipIf(isRoot)('a start on a read-only database fails and names the file', async () => {
  const file = join(folder, 'read-only.db')
  new SqliteConnection(file).close()
  await chmod(file, 0o444)
  expect(await refusal(`file:${file}`)).toContain(file)
})

test('a start on a database of a newer version fails and names the reason', async () => {
  const file = join(folder, 'newer.db')
  const url = `file:${file}`
  expect((await operate({ url }, 'migrate', 'up')).code).toBe(0)
  const db = new SqliteConnection(file)
  db.exec("insert into schema_migrations values ('9999-later', 1)")
  db.close()
  expect(await refusal(url)).toContain('newer Skillpass (9999-later)')
})

test('a start whose Postgres does not respond fails and names it without its password', async () => {
  const port = await freePort()
  for (const [databaseUrl, what] of [
    [`postgres://postgres:pass-word@127.0.0.1:${port}/skillpass`, `127.0.0.1:${port}`],
    ['postgres://postgres:pass-word@no-such-host.invalid/skillpass', 'no-such-host.invalid'],
  ] as const) {
    const message = await openDatabase(databaseUrl, { waitMs: 1000 }).catch(String)
    expect(message).toContain(what)
    expect(message).toContain('for 1 s,')
    expect(message).toContain('DATABASE_URL')
    expect(message).not.toContain('pass-word')
  }
})

describe.skipIf(!engines.includes('postgres'))('a start on Postgres', () => {
  const place = new URL(postgresUrl('skillpass_missing'))

  test('a start waits for a Postgres that does not respond yet, and logs the wait once', async () => {
    const name = await createPostgres()
    const proxy = await startPausingProxy(postgresUrl(name))
    proxy.pause()
    const env = { LOG_LEVEL: 'info' }
    const starting = startProcess({ databaseUrl: proxy.url, env })
    // Two attempts get no response.
    await until('tries', () => proxy.connections() > 1)
    proxy.resume()
    const server = await starting
    await server.end('SIGTERM')
    const { host } = new URL(proxy.url)
    const lines = server.output().split('\n')
    expect(
      lines.filter((line) => line.includes(`waiting for Postgres at ${host}/${name}`)),
    ).toHaveLength(1)
    expect(lines.filter((line) => line.includes(`${host}/${name} responds`))).toHaveLength(1)
    await proxy.close()
    await dropPostgres(name)
  })

  test('a start on a missing Postgres database fails at once and explains how to create it', async () => {
    const message = await refusal(place.href)
    expect(message).toContain(`the database ${place.host}/skillpass_missing does not exist.`)
    expect(message).toContain('createdb skillpass_missing')
  })

  test('a start with an unknown Postgres role fails at once', async () => {
    const url = new URL(place)
    url.username = 'skillpass_nobody'
    const message = await refusal(url.href)
    expect(message).toContain(`does not accept the role skillpass_nobody.`)
  })
})
