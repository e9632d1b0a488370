import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSkillpass, type Seed } from '@skillpass/server/testing'
import { expect, test } from 'vitest'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { me, read, refresh, serverAt } from '../support/oauth-client.ts'
import { signIn } from '../support/people.ts'

const id = (number: number) => `${number}0000000-0000-4000-8000-000000000000`
const email = 'owner@acme.test'

const skill = (name: string) => `---
name: ${name}
description: Plans a meeting. Use before a meeting.
---
Ask for the goal of the meeting.
`

const folder = await temporaryFolder()
await mkdir(join(folder, 'take-notes'))
await writeFile(join(folder, 'take-notes', 'SKILL.md'), skill('take-notes'))

const apiKey = 'skp_planner000000000000000000000001p9cPh'
const accessToken = 'sat_00000000accessofscheduler000000000000000000000000003lKx3k'
const refreshToken = 'srt_00000000refreshofscheduler00000000000000000000000002WHBku'
const production = { clientId: 'scheduler', clientSecret: 'secret-of-scheduler' }
const recurrence = { type: 1, end_times: 3 } as const

const seed = {
  accounts: [{ id: id(1), name: 'Acme', users: [{ id: id(2), email, role: 'owner' }] }],
  apps: [
    {
      ...{ id: id(3), name: 'Scheduler', account: 'Acme', type: 'general', visibility: 'public' },
      ...{ scopes: ['user:read:user', 'meeting:read:meeting'], secretToken: 'token-of-scheduler' },
      production,
    },
    {
      name: 'Reporter',
      account: 'Acme',
      type: 'server-to-server',
      scopes: ['user:read:user:admin'],
    },
    { name: 'Helper bot', account: 'Acme', type: 'chatbot' },
  ],
  agents: [{ id: id(4), username: 'planner', apiKey }],
  meetings: [{ host: email, id: 12345678901, topic: 'Weekly', type: 8, recurrence }],
  tokens: [
    { app: 'Scheduler', user: email, accessToken, refreshToken },
    { app: 'Scheduler', user: email, scopes: ['user:read:user'], name: 'reader' },
    { app: 'Reporter' },
    { app: 'Helper bot' },
  ],
  skills: [
    { agent: 'planner', text: skill('plan-meeting') },
    { agent: 'planner', folder },
  ],
} satisfies Seed

const sp = await createSkillpass({ seed })
afterFile(sp.close)
const { seeded } = sp
const server = serverAt(sp.url)
const meetingBy = (token: string | undefined) =>
  read(server.http('/v2/meetings/12345678901', { headers: { authorization: `Bearer ${token}` } }))

test('a seed returns the fixed values of everything that it names', () => {
  expect(seeded).toMatchObject({
    accounts: { Acme: { id: id(1) } },
    users: { [email]: { id: id(2), email } },
    apps: { Scheduler: { id: id(3), secretToken: 'token-of-scheduler', ...production } },
    agents: { planner: { id: id(4), apiKey } },
    meetings: { Weekly: { id: 12345678901 } },
    tokens: { [`Scheduler ${email}`]: { accessToken, refreshToken } },
    skills: {
      'plan-meeting': { address: 'planner/skills/plan-meeting' },
      'take-notes': { address: 'planner/skills/take-notes' },
    },
  })
})

test('values that a seed does not fix are random, and returned too', () => {
  const secret = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_\\w{49}`))
  const client = { clientId: expect.stringMatching(/^\w{22}$/), clientSecret: secret('scs') }
  const { Scheduler, Reporter } = seeded.apps
  expect(Scheduler?.development).toEqual(client)
  expect(Reporter).toMatchObject({ ...client, secretToken: secret('swt') })
  expect(seeded.tokens.Reporter).toEqual({ accessToken: secret('sat') })
  expect(seeded.tokens['Helper bot']).toEqual({ accessToken: secret('sat') })
  expect(seeded.tokens.reader).toEqual({ accessToken: secret('sat'), refreshToken: secret('srt') })
})

test('the tokens of a seed have the scopes of the app, or those that the seed selects', async () => {
  expect((await me(server, accessToken)).body).toMatchObject({ id: id(2) })
  const { body } = await meetingBy(accessToken)
  expect(body).toMatchObject({ topic: 'Weekly', occurrences: [{}, {}, {}] })
  expect((await meetingBy(seeded.tokens.reader?.accessToken)).status).toBe(403)
  const user = read(
    server.http(`/v2/users/${email}`, {
      headers: { authorization: `Bearer ${seeded.tokens.Reporter?.accessToken}` },
    }),
  )
  expect((await user).body).toMatchObject({ email })
})

test('the refresh token of a seed is exchanged once with the fixed client secret', async () => {
  const { status, body } = await refresh(server, production, refreshToken)
  expect(status).toBe(200)
  expect((await me(server, body.access_token)).status).toBe(200)
  expect((await me(server, accessToken)).status).toBe(200)
})

test('a user without a declared password signs in with the returned one', async () => {
  const { password = '' } = seeded.users[email] ?? {}
  await expect(signIn(server, { email, password })).resolves.toBeDefined()
})

test('the fixed API key of an agent works, and the skills of the seed are found', async () => {
  const { registry } = sp.client({ apiKey })
  expect((await registry.agents.me()).data.username).toBe('planner')
  const { data } = await registry.skills.resolve({ query: { task: 'plan a meeting' } })
  expect(data[0]?.skill.id).toBe(seeded.skills['plan-meeting']?.id)
})

const shape = 'must have the right length and checksum, such as'

test.each<[string, object, string[]]>([
  [
    'in its fields',
    {
      acounts: [],
      agents: [{ username: 'other', apiKey: 'skp_planner' }],
      meetings: [{ host: email, id: 12, topc: 'Weekly' }],
      tokens: [{ app: 'Scheduler', user: email, accessToken: 'access of scheduler' }],
      skills: [{ agent: 'planner' }],
    },
    [
      'acounts: is not a known field; did you mean accounts?',
      'meetings[0].topc: is not a known field; did you mean topic?',
      `agents[0].apiKey: ${shape} ${apiKey}`,
      'meetings[0].id: must have 10 or 11 digits',
      `tokens[0].accessToken: ${shape} ${accessToken}`,
      'skills[0]: must have an agent, and either text or folder',
    ],
  ],
  [
    'with unknown names and values in use',
    {
      ...seed,
      meetings: [...seed.meetings, { host: 'nobody@acme.test' }, { host: email, id: 12345678901 }],
      tokens: [
        ...seed.tokens,
        { app: 'Scheduler' },
        { app: 'Reporter', user: email },
        { app: 'Scheduler', user: email, scopes: ['meeting:write:meeting'] },
        { app: 'Scheduler', user: email, accessToken },
      ],
      skills: [{ agent: 'nobody', text: skill('plan-more') }],
    },
    [
      'meetings[1]: There is no user nobody@acme.test. Did you mean owner@acme.test?',
      'meetings[2]: A row with the same id exists in meetings.',
      'tokens[4]: A token of Scheduler needs a user.',
      'tokens[5]: A token of Reporter has no user.',
      'tokens[6]: The request asks for scopes that this app or grant does not have: meeting:write:meeting.',
      'tokens[7]: A row with the same key exists in access_tokens.',
      'skills[0]: The seed has no agent nobody.',
    ],
  ],
])('a seed is refused with one line for each problem %s', async (_, wrong, lines) => {
  const refused = createSkillpass({ seed: wrong }).catch(({ message }: Error) =>
    message.split('\n'),
  )
  expect(await refused).toEqual(lines)
})
