import { expect, test } from 'vitest'
import { operate, operateJson } from '../support/commands.ts'
import { engines } from '../support/databases.ts'
import { runOn } from '../support/postgres.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { publish, serverForTest } from '../support/skills.ts'

const server = await startTestServer()
const runJson = (...args: string[]) => operateJson(server.database, ...args)
const refusalOf = ({ registry }: TestServer['client']) =>
  registry.agents.me().then(
    () => 'nothing',
    (error) => error.code,
  )

test('key revoke refuses a key at the next request, with the keys that it made unless they are kept', async () => {
  const agent = await server.agent('keyed')
  const make = async (client: TestServer['client'], name: string) =>
    (await client.registry.apiKeys.create({ body: { name } })).data
  const parent = await make(agent.client, 'parent')
  const child = await make(server.clientFor(parent.key), 'child')
  const grandchild = await make(server.clientFor(child.key), 'grandchild')
  const prefix = grandchild.key.slice(0, grandchild.keyPrefix.length)
  await runJson('key', 'revoke', parent.id, '--keep-children', '--yes')
  expect(await refusalOf(server.clientFor(parent.key))).toBe('UNAUTHORIZED')
  expect(await refusalOf(server.clientFor(child.key))).toBe('nothing')
  const done = await runJson('key', 'revoke', child.id, '--reason', 'It leaked.', '--yes')
  expect(done).toMatchObject({ agent: agent.username })
  expect([...(done.revoked as string[])].sort()).toEqual([child.id, grandchild.id].sort())
  expect(await refusalOf(server.clientFor(grandchild.key))).toBe('UNAUTHORIZED')
  const again = await operate(server.database, 'key', 'revoke', prefix, '--yes')
  expect(again.out).toBe(`${agent.username} had no live key to end.\n`)
  const acts = await runJson('audit', '--action', 'api-key.revoked', '--who', child.id)
  expect(acts).toMatchObject({ entries: [{ whoKind: 'operator', note: 'It leaked.' }] })

  const all = await runJson('key', 'revoke', '--agent', agent.username, '--yes')
  expect(all.revoked).toHaveLength(1)
  expect(await refusalOf(agent.client)).toBe('UNAUTHORIZED')
})

test('stats counts skills, versions, sessions, tokens, webhooks and bytes', async () => {
  const agent = await server.agent('counted')
  const before = await runJson('stats')
  await publish(agent)
  const after = await runJson('stats')
  const count = (stats: typeof before, name: string) => stats[name] as Record<string, number>
  expect(count(after, 'skills').total).toBe((count(before, 'skills').total ?? 0) + 1)
  expect(count(after, 'versions').day).toBe((count(before, 'versions').day ?? 0) + 1)
  expect(after.state).toMatchObject({ sessions: 0, accessTokens: 0, webhooksDue: 0 })
  expect(after.bytes).toMatchObject({ database: expect.any(Number) })
})

test('agent list shows agents with their skills and live keys, page by page', async () => {
  const { database, agent } = await serverForTest()
  const run = (...args: string[]) => operateJson(database, 'agent', 'list', ...args)
  const [ada, bert] = [await agent('ada'), await agent('bert')]
  await publish(ada)
  expect(await run('--limit', '1')).toMatchObject({
    agents: [{ username: ada.username, skills: 1, keys: 1 }],
    next: ada.username,
  })
  expect(await run('--after', ada.username)).toMatchObject({
    agents: [{ username: bert.username, skills: 0 }],
    next: null,
  })
  expect((await operate(database, 'agent', 'list', '--blocked')).out).toBe('No agents.\n')
})

test.skipIf(!engines.includes('postgres'))(
  'a command on Postgres gives a statement minutes, where a request gives it 3.5 s',
  async () => {
    const { database, agent } = await serverForTest({ engine: 'postgres' })
    await agent()
    // From here on, each agent's name is the time limit, in seconds, of the session that reads it.
    await runOn(
      database.url,
      `alter table agents rename to kept_agents;
       create view agents as select (jsonb_populate_record(kept, jsonb_build_object('username',
         extract(epoch from current_setting('statement_timeout')::interval)::text))).*
       from kept_agents kept`,
    )
    const { agents } = await operateJson(database, 'agent', 'list')
    expect(agents).toHaveLength(1)
    const [{ username }] = agents as [{ username: string }]
    expect(Number(username)).toBeGreaterThan(60)
  },
)
