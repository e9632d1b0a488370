import { expect, test } from 'vitest'
import { z } from 'zod'
import { operate, operateJson } from '../support/commands.ts'
import { createServerDatabase, createTestDatabase } from '../support/databases.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { accountToken } from '../support/oauth-client.ts'
import { signIn } from '../support/people.ts'
import { startProcess } from '../support/processes.ts'
import { addressesAt, noLimits } from '../support/settings.ts'
import { until } from '../support/waiting.ts'

const Renewed = z.object({
  variables: z.record(z.string(), z.string()),
  password: z.string(),
  replaced: z.array(z.string()),
})

const server = await startDemoServer()
const [email = ''] = server.emails

const appOf = (credentials = '') => {
  const [clientId = '', clientSecret = ''] = credentials.split(':')
  return { clientId, clientSecret }
}

/** Statuses of the running server for a key, an app and a password. */
async function statusesOf(variable: (name: string) => string | undefined, password: string) {
  const authorization = `Bearer ${variable('SKILLPASS_API_KEY')}`
  const me = await server.http('/api/v1/agents/me', { headers: { authorization } })
  const token = await accountToken(
    server,
    appOf(variable('REPORTER')),
    variable('ACCOUNT_ID') ?? '',
  )
  const isSignedIn = await signIn(server, { email, password }).then(
    () => true,
    () => false,
  )
  return [me.status, token.status, isSignedIn]
}

test('demo credentials replaces the API key, secrets and password while a server runs', async () => {
  expect(await statusesOf(server.variable, server.password)).toEqual([200, 200, true])
  const renewed = Renewed.parse(await operateJson(server.database, 'demo', 'credentials'))
  const { variables, password, replaced } = renewed
  const apps = ['SCHEDULER', 'REPORTER', 'HELPER_BOT']
  expect(replaced).toEqual(['SKILLPASS_API_KEY', ...apps, 'the password of the demo users'])
  expect(await statusesOf((name) => variables[name], password)).toEqual([200, 200, true])
  expect(await statusesOf(server.variable, server.password)).toEqual([401, 401, false])
})

test('demo credentials prints what it replaced and the lines of the first start', async () => {
  const { code, out } = await operate(server.database, 'demo', 'credentials')
  const withoutSecrets = (text: string) => text.replace(/(?<==\S*[:_]|password )\w+$/gm, '…')
  const [, exports = ''] = server.output().split(/^(?=To follow)/m)
  const [replaced, ...printed] = out.trimEnd().split('\n')
  expect(code).toBe(0)
  expect(replaced).toMatch(/^Replaced SKILLPASS_API_KEY, .* The previous values no longer work\.$/)
  expect(withoutSecrets(printed.join('\n'))).toBe(withoutSecrets(exports))
})

test('the lines to paste stay whole on a terminal of 80 columns', async () => {
  const { out } = await operate(
    { ...server.database, env: { COLUMNS: '80' } },
    'demo',
    'credentials',
  )
  expect(out.match(/^ {2}export \w+=\S+$/gm)).toHaveLength(5)
})

test('demo credentials refuses production and a database without demo data', async () => {
  const env = { NODE_ENV: 'production', ...addressesAt('https://skillpass.test') }
  expect(await operate({ ...server.database, env }, 'demo', 'credentials')).toMatchObject({
    code: 1,
    err: 'Demo data is for development, but NODE_ENV is production.\n',
  })
  const empty = await createServerDatabase('sqlite')
  const { code, err } = await operate(empty, 'demo', 'credentials')
  await empty.remove()
  expect([code, err]).toEqual([1, expect.stringMatching(/^There is no demo data\./)])
})

test('a start in development is ready with its demo data, and the first one prints credentials', async () => {
  const database = await createTestDatabase('sqlite')
  const unset = Object.fromEntries(Object.keys(noLimits).map((name) => [name, '']))
  const env = { ...unset, NODE_ENV: 'development' }
  for (const printed of ['export SKILLPASS_API_KEY=', 'npx skillpass-server demo credentials']) {
    const started = await startProcess({ databaseUrl: database.url, env })
    const found = await fetch(`${started.url}/api/v1/skills/search`)
    expect((await found.json()).data.length).toBeGreaterThan(0)
    await until(printed, () => started.output().includes(printed))
    expect(started.output()).toContain('Requests from this machine have no rate limits.')
    await started.end('SIGTERM')
  }
  await database.remove()
})
