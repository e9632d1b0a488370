import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeclarationInput } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import {
  appOf,
  type Declared,
  declare,
  generalApp,
  password,
  user,
  userOf,
} from '../support/apps.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { operate, operateJson } from '../support/commands.ts'
import { refresh } from '../support/oauth-client.ts'
import { startTestServer } from '../support/server.ts'
import { addressesAt } from '../support/settings.ts'

/** A declaration with every kind of setting. */
const example = {
  accounts: [
    {
      name: 'Acme',
      requireAppApproval: false,
      users: [user('owner@acme.test', 'owner'), { email: 'user@acme.test', password }],
      subAccounts: [{ name: 'Acme West', users: [] }],
    },
  ],
  apps: [
    generalApp('Scheduler', ['user:read:user', 'meeting:read:list_meetings'], {
      level: 'user',
      optionalScopes: ['meeting:write:meeting'],
      deviceFlow: true,
      publicClient: false,
      deauthorizationUrl: 'http://127.0.0.1:8091/events',
    }),
  ],
  agents: [{ username: 'tester' }],
} satisfies Declared

const tables = ['accounts', 'users', 'apps', 'clients', 'redirect_uris'] as const

const server = await startTestServer()
const first = await declare(server, example)
/** Everything that declarations write, for comparison. */
const rows = async () =>
  JSON.stringify(
    await Promise.all(
      tables.map((table) => server.ctx.db.read.selectFrom(table).selectAll().execute()),
    ),
  )
const refusal = (declaration: unknown) =>
  declare(server, declaration as DeclarationInput).then(
    () => 'made',
    (error: Error) => error.message,
  )
/** The declared app "Scheduler". */
const scheduler = () => operateJson(server.database, 'app', 'show', appOf(first, 'Scheduler').id)

test('applying a declaration returns ids and new secrets', () => {
  const id = expect.stringMatching(/^[\da-f-]{36}$/)
  const client = {
    clientId: expect.stringMatching(/^\w{22}$/),
    clientSecret: expect.stringMatching(/^scs_/),
  }
  const users = ['owner@acme.test', 'user@acme.test'].map((email) => ({ email, id }))
  const secretToken = expect.stringMatching(/^swt_/)
  expect(first).toEqual({
    accounts: [
      { name: 'Acme', id, users },
      { name: 'Acme West', id, users: [] },
    ],
    apps: [{ name: 'Scheduler', id, secretToken, development: client, production: client }],
    agents: [{ username: 'tester', id, apiKey: expect.stringMatching(/^skp_/) }],
    organizations: [],
    warnings: [],
  })
})

test('applying a declaration again changes nothing, returns the same ids and shows no secret', async () => {
  const before = await rows()
  const again = await declare(server, example)
  expect(await rows()).toBe(before)
  expect(again.accounts).toEqual(first.accounts)
  const { id, development, production } = appOf(first, 'Scheduler')
  expect(again.apps).toEqual([
    {
      name: 'Scheduler',
      id,
      development: { clientId: development.clientId },
      production: { clientId: production.clientId },
    },
  ])
  expect(again.agents).toEqual([{ username: 'tester', id: first.agents[0]?.id }])
})

test('a declaration applied three times concurrently creates everything once', async () => {
  const declaration: DeclarationInput = {
    accounts: [{ name: 'Race', users: [{ email: 'r@race.test', password }] }],
    apps: [{ name: 'Racer', account: 'Race', type: 'general' }],
    agents: [{ username: 'racer' }],
  }
  const runs = await Promise.all([1, 2, 3].map(() => declare(server, declaration)))
  const secrets = runs.flatMap(({ apps, agents }) => [
    ...apps.flatMap((app) => app.production.clientSecret ?? []),
    ...agents.flatMap(({ apiKey }) => apiKey ?? []),
  ])
  expect(secrets).toHaveLength(2)
  expect(new Set(runs.map((run) => userOf(run, 'r@race.test').id)).size).toBe(1)
  expect(new Set(runs.map((run) => appOf(run, 'Racer').production.clientId)).size).toBe(1)
})

test('a declaration changes only the settings that it contains', async () => {
  const change = {
    disabled: true,
    deauthorizationUrl: null,
    development: { scopes: ['user:read:user'], redirectUris: ['http://localhost/dev'] },
  }
  const { production, development } = await scheduler()
  await declare(server, { apps: [{ name: 'Scheduler', account: 'Acme', ...change }] })
  expect(await scheduler()).toMatchObject({
    byOperator: true,
    deviceFlow: true,
    visibility: 'public',
    disabledAt: expect.any(String),
    deauthorizationUrl: null,
    production,
    development: { ...change.development, optionalScopes: ['meeting:write:meeting'] },
  })
  await declare(server, example)
  await declare(server, { apps: [{ name: 'Scheduler', account: 'Acme', disabled: false }] })
  expect(await scheduler()).toMatchObject({
    disabledAt: null,
    deauthorizationUrl: 'http://127.0.0.1:8091/events',
    production,
    development,
  })
})

test('a declaration can transfer an account to another owner, but never to two', async () => {
  const second = { email: 'second@acme.test', password, role: 'owner' } as const
  expect(await refusal({ accounts: [{ name: 'Acme', users: [second] }] })).toBe(
    'accounts[0].users[0].role: the account already has the owner owner@acme.test',
  )
  const users = [second, { email: 'owner@acme.test', role: 'admin' }] as const
  await declare(server, { accounts: [{ name: 'Acme', users }] })
  expect((await operateJson(server.database, 'user', 'list')).users).toContainEqual(
    expect.objectContaining({ email: 'second@acme.test', role: 'owner' }),
  )
  const twoOwners = [
    { email: 'one@two.test', password, role: 'owner' },
    { email: 'two@two.test', password, role: 'owner' },
  ]
  expect(await refusal({ accounts: [{ name: 'Two', users: twoOwners }] })).toBe(
    'accounts[0].users[1].role: the account already has the owner one@two.test',
  )
})

test('a declaration with errors is refused as a whole, and every error is reported', async () => {
  const before = await rows()
  const message = await refusal({
    accounts: [{ name: 'Half', users: [{ email: 'h@half.test' }] }],
    apps: [
      { name: 'One', account: 'Half', type: 'general', scopes: ['user:read:user', 'nope'] },
      { name: 'Two', account: 'Nowhere', type: 'general', scopes: ['user:read:user:admin'] },
      { name: 'Three', account: 'Half' },
    ],
  })
  expect(message.split('\n')).toEqual([
    'accounts[0].users[0].password: a new user needs a password',
    'apps[0].scopes[1]: "nope" is not a scope of the platform',
    'apps[1].account: the account "Nowhere" does not exist in the file or the database',
    'apps[1].scopes[0]: a user-level app cannot have the admin scope user:read:user:admin',
    'apps[2].type: a new app needs a type',
  ])
  expect(await rows()).toBe(before)
})

const app = { name: 'X', account: 'Acme', type: 'general' }
const newUser = { email: 'x@x.test', password }
const ofApp = (more: object) => ({ apps: [{ ...app, ...more }] })
const ofUser = (more: object) => ({ accounts: [{ name: 'X', users: [{ ...newUser, ...more }] }] })
test.each<[string, unknown]>([
  ['apps[0].colour: is not a known field; known are name, ', ofApp({ colour: 'red' })],
  [
    'apps[0].redirect_uris: is not a known field; did you mean redirectUris?',
    ofApp({ redirect_uris: [] }),
  ],
  ['users[0].fristName: is not a known field; did you mean firstName?', ofUser({ fristName: 'X' })],
  ['account: is not a known field; did you mean accounts?', { account: [] }],
  ['accounts[0].name: is required', { accounts: [{}] }],
  ['apps[0].type: must be server-to-server, general or chatbot', ofApp({ type: 'native' })],
  ['accounts[0].users[0].email: must be an email', ofUser({ email: 'x' })],
  ['users[0].password: must be at least 8 characters', ofUser({ password: '1234567' })],
  [
    'accounts[1].users[0].email: X@x.test is declared twice',
    {
      accounts: [...ofUser({}).accounts, { name: 'Y', users: [{ ...newUser, email: 'X@x.test' }] }],
    },
  ],
  [
    'users[0].email: OWNER@acme.test is a user of another account',
    ofUser({ email: 'OWNER@acme.test' }),
  ],
  [
    'apps[0].type: the type of "Scheduler" is general and cannot change',
    ofApp({ name: 'Scheduler', type: 'chatbot' }),
  ],
  [
    'accounts[0].name: "Acme West" already exists as a sub-account of "Acme"',
    { accounts: [{ name: 'Acme West' }] },
  ],
  [
    'accounts[0].approvedApps[0]: there are 2 apps "Scheduler"',
    {
      accounts: [{ name: 'X', approvedApps: ['Scheduler'] }],
      ...ofApp({ name: 'Scheduler', account: 'X' }),
    },
  ],
])('a declaration is refused with the message %s', async (message, declaration) => {
  const before = await rows()
  expect(await refusal(declaration)).toContain(message)
  expect(await rows()).toBe(before)
})

const fixedId = (number: number) => `${number}0000000-0000-4000-8000-000000000000`
const fixedKey = 'skp_planner000000000000000000000001p9cPh'
const fixed = {
  accounts: [
    {
      ...{ id: fixedId(1), name: 'Fixed' },
      users: [{ id: fixedId(2), email: 'owner@fixed.test', password }],
    },
  ],
  apps: [
    {
      ...{ id: fixedId(3), name: 'Fixed', account: 'Fixed', type: 'general' },
      secretToken: 'token-of-fixed',
      development: { clientId: 'fixed-development' },
      production: { clientId: 'fixed', clientSecret: 'secret-of-fixed' },
    },
  ],
  agents: [{ id: fixedId(4), username: 'fixed', apiKey: fixedKey }],
} satisfies Declared

test('a declaration can fix ids and secrets, and applying it again keeps them', async () => {
  const secretToken = 'token-of-fixed'
  const production = { clientId: 'fixed', clientSecret: 'secret-of-fixed' }
  const made = await declare(server, fixed)
  expect(made).toMatchObject({
    accounts: [{ id: fixedId(1), users: [{ id: fixedId(2) }] }],
    apps: [
      { id: fixedId(3), secretToken, production, development: { clientId: 'fixed-development' } },
    ],
    agents: [{ id: fixedId(4), apiKey: fixedKey }],
  })
  const { clientSecret: _, ...development } = made.apps[0]?.development ?? {}
  expect(await declare(server, fixed)).toEqual({
    ...made,
    apps: [{ name: 'Fixed', id: fixedId(3), secretToken, production, development }],
  })
  expect((await server.clientFor(fixedKey).registry.agents.me()).data.id).toBe(fixedId(4))
})

test('a declaration replaces secrets of existing items at once', async () => {
  await declare(server, fixed)
  const errorWith = async (clientSecret: string) =>
    (await refresh(server, { clientId: 'fixed', clientSecret }, 'srt_unknown')).body.error
  expect(await errorWith('secret-of-fixed')).toBe('invalid_grant')
  await declare(server, {
    apps: [{ name: 'Fixed', account: 'Fixed', production: { clientSecret: 'another-secret' } }],
  })
  expect(await errorWith('another-secret')).toBe('invalid_grant')
  expect(await errorWith('secret-of-fixed')).toBe('invalid_client')
})

test('in production, a declaration with fixed ids or secrets is refused', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'declaration.json')
  await writeFile(file, JSON.stringify(fixed))
  const env = { NODE_ENV: 'production', ...addressesAt('https://skillpass.test') }
  const target = { url: `file:${join(folder, 'skillpass.db')}`, env }
  const { code, err } = await operate(target, 'apply', file)
  expect(code).toBe(1)
  expect(err.trim().split('\n')).toEqual(
    [
      ...['accounts[0].users[0].id', 'accounts[0].id', 'apps[0].development.clientId'],
      ...['apps[0].production.clientId', 'apps[0].production.clientSecret', 'apps[0].id'],
      ...['apps[0].secretToken', 'agents[0].id', 'agents[0].apiKey'],
    ].map((place) => `${place}: cannot be declared in production`),
  )
})

test.each<[string, object]>([
  [
    `accounts[0].id: is ${fixedId(1)} and cannot change`,
    { accounts: [{ id: fixedId(5), name: 'Fixed' }] },
  ],
  [
    `accounts[0].users[0].id: is ${fixedId(2)} and cannot change`,
    { accounts: [{ name: 'Fixed', users: [{ id: fixedId(5), email: 'owner@fixed.test' }] }] },
  ],
  [
    'apps[0].production.clientId: is fixed and cannot change',
    { apps: [{ name: 'Fixed', account: 'Fixed', production: { clientId: 'other' } }] },
  ],
  [
    `agents[0].id: is ${fixedId(4)} and cannot change`,
    { agents: [{ id: fixedId(5), username: 'fixed' }] },
  ],
  ['A row with the same id exists in accounts.', { accounts: [{ id: fixedId(1), name: 'Other' }] }],
  [
    'A row with the same client_id exists in clients.',
    {
      apps: [
        { name: 'Other', account: 'Fixed', type: 'general', production: { clientId: 'fixed' } },
      ],
    },
  ],
  [
    `agents[0].apiKey: must have the right length and checksum, such as ${fixedKey}`,
    { agents: [{ username: 'other', apiKey: 'skp_planner' }] },
  ],
  [
    'apps[0].secretToken: must be 8 to 200 ASCII letters, digits and signs',
    { apps: [{ name: 'Fixed', account: 'Fixed', secretToken: 'short' }] },
  ],
])('a fixed value is refused with the message %s', async (message, declaration) => {
  await declare(server, fixed)
  expect(await refusal(declaration)).toBe(message)
})

test('skillpass-server apply prints new secrets once, and exits with 1 if the file has errors', async () => {
  const folder = await temporaryFolder()
  const file = join(folder, 'declaration.json')
  const apply = (...options: string[]) =>
    operate({ url: `file:${join(folder, 'skillpass.db')}` }, 'apply', file, ...options)
  await writeFile(file, '{"apps": [}')
  const fault = (err: string) => ({ code: 1, err: expect.stringContaining(err) })
  expect(await apply()).toMatchObject(fault(`${file} is not valid JSON`))
  await writeFile(file, JSON.stringify({ ...example, apps: [{ name: 'X', account: 'Y' }] }))
  expect(await apply()).toMatchObject(fault('apps[0].account: the account "Y" does not exist'))
  await writeFile(file, JSON.stringify(example))
  const made = JSON.parse((await apply('--json')).out)
  expect(made.apps[0].production.clientSecret).toMatch(/^scs_/)
  const { out } = await apply()
  expect(out).toContain(made.apps[0].production.clientId)
  expect(out).toContain('printed when it was created')
  expect(out).not.toContain('scs_')
})

test('organizations are created and updated by name, with members that must leave an owner', async () => {
  const organization = {
    username: 'globex',
    defaultVisibility: 'private' as const,
    members: [{ username: 'tester', role: 'owner' as const }],
  }
  const agents = [{ username: 'second' }]
  const [made] = (await declare(server, { agents, organizations: [organization] })).organizations
  const { registry } = server.client
  const params = { username: 'globex' }
  expect((await registry.organizations.get({ params })).data.id).toBe(made?.id)
  const members = [{ username: 'second', role: 'owner' as const }, ...organization.members]
  const again = { ...organization, displayName: 'Globex', members }
  expect((await declare(server, { organizations: [again] })).organizations).toEqual([made])
  expect((await registry.organizations.get({ params })).data.displayName).toBe('Globex')
  const refusals: [object, string][] = [
    [{ username: 'empty' }, 'organizations[0].members: must leave a member with the role owner'],
    [{ ...organization, username: 'tester' }, 'is the username of an agent'],
    [{ ...again, members: [{ username: 'x', role: 'owner' }] }, 'there is no agent "x"'],
    [{ ...again, members: members.map((one) => ({ ...one, role: 'reader' })) }, 'must leave a'],
  ]
  for (const [refused, message] of refusals) {
    expect(await refusal({ organizations: [refused] })).toContain(message)
  }
  expect(await refusal({ agents: [{ username: 'globex' }] })).toContain('is an organization')
})
