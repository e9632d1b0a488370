import { expect, test } from 'vitest'
import { operate, operateJson } from '../support/commands.ts'
import { engines } from '../support/databases.ts'
import { runOn } from '../support/postgres.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { publish, serverForTest } from '../support/skills.ts'

const server = await startTestServer()
const runJson = (...args: string[]) => operateJson(server.database, ...args)
const errorOf = ({ registry }: TestServer['client']) =>
  registry.agents.me().then(
    () => 'none',
    (error) => error.code,
  )

test('key revoke revokes a key, and with --others revoke also the other keys of an agent', async () => {
  const agent = await server.agent('keyed')
  const { apiKeys } = agent.client.registry
  const make = async (name: string) => (await apiKeys.create({ body: { name } })).data
  const [one, two, three] = [await make('one'), await make('two'), await make('three')]
  const id = (await apiKeys.list()).data.find((key) => key.isRegistration)?.id ?? ''
  const revoked = await runJson('key', 'revoke', one.id, '--reason', 'It leaked.', '--yes')
  expect(revoked).toMatchObject({ agent: agent.username, revoked: [one.id] })
  expect(await errorOf(server.clientFor(one.key))).toBe('UNAUTHORIZED')
  const prefix = one.key.slice(0, one.keyPrefix.length)
  const again = await operate(server.database, 'key', 'revoke', prefix, '--yes')
  expect(again.out).toBe(`${agent.username} has no active key to revoke.\n`)
  const acts = await runJson('audit', '--action', 'api-key.revoked', '--who', one.id)
  expect(acts).toMatchObject({ entries: [{ whoKind: 'operator', note: 'It leaked.' }] })

  await expect(runJson('key', 'revoke', id, '--yes')).rejects.toThrow('Set others to keep')
  await runJson('key', 'revoke', id, '--others', 'keep', '--yes')
  expect(await errorOf(agent.client)).toBe('UNAUTHORIZED')
  expect(await errorOf(server.clientFor(two.key))).toBe('none')
  const all = await runJson('key', 'revoke', id, '--others', 'revoke', '--yes')
  expect([...(all.revoked as string[])].sort()).toEqual([two.id, three.id].sort())
  expect(await errorOf(server.clientFor(two.key))).toBe('UNAUTHORIZED')
})

test('key revoke --agent revokes all keys of an agent', async () => {
  const agent = await server.agent('ended')
  const all = await runJson('key', 'revoke', '--agent', agent.username, '--yes')
  expect(all.revoked).toHaveLength(1)
  expect(await errorOf(agent.client)).toBe('UNAUTHORIZED')
})

test('agent list counts the skills and active keys of each agent, page by page', async () => {
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
  'a command on Postgres has a statement timeout of more than a minute',
  async () => {
    const { database, agent } = await serverForTest({ engine: 'postgres' })
    await agent()
    // A view that returns the statement timeout of the session, in seconds, as each username.
    await runOn(
      database.url,
      `alter table agents rename to stored_agents;
       create view agents as select (jsonb_populate_record(stored, jsonb_build_object('username',
         extract(epoch from current_setting('statement_timeout')::interval)::text))).*
       from stored_agents stored`,
    )
    const { agents } = await operateJson(database, 'agent', 'list')
    expect(agents).toHaveLength(1)
    const [{ username }] = agents as [{ username: string }]
    expect(Number(username)).toBeGreaterThan(60)
  },
)

test('lists fit 80 columns without ids, and --long prints ids and every column in full', async () => {
  const own = await serverForTest()
  const { username, id } = await own.agent('a'.repeat(30))
  const hidden = await own.agent('hidden')
  await operate(own.database, 'agent', 'block', hidden.username, '--reason', 'Spam. '.repeat(9))
  const narrow = { ...own.database, env: { COLUMNS: '80' } }
  for (const [list, shown] of [
    [['agent', 'list'], 'a'.repeat(8)],
    [['audit'], `agent.blocked  agent ${hidden.username}`],
  ] as const) {
    const short = await operate(narrow, ...list)
    expect(short.out.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(short.out).toContain(shown)
    expect(short.out).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
    const long = await operate(narrow, ...list, '--long')
    expect(long.out).toContain(username)
    expect(long.out).not.toContain('…')
  }
  expect((await operate(narrow, 'agent', 'list', '--long')).out).toContain(id)
})

test('a command names a missing file in a sentence', async () => {
  const { code, err } = await operate(server.database, 'apply', '/nowhere/people.json')
  const sentence = 'Could not open /nowhere/people.json: no such file or folder.\n'
  expect({ code, err }).toEqual({ code: 1, err: sentence })
})
