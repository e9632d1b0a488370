import { describe, expect, test } from 'vitest'
import { operate, operateJson } from '../support/commands.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

describe('skillpass-server on agents and keys,', async () => {
  const server = await startTestServer()
  const { database } = server
  const runJson = (...args: string[]) => operateJson(database, ...args)
  const refusedAs = (client: (typeof server)['client']) =>
    client.registry.agents.me().then(
      () => 'nothing',
      (error) => error.code,
    )

  test('a revoked key is refused at the next request, with the keys that it made unless they are kept', async () => {
    const agent = await server.agent('keyed')
    const make = async (client: (typeof server)['client'], name: string) =>
      (await client.registry.apiKeys.create({ body: { name } })).data
    const parent = await make(agent.client, 'parent')
    const child = await make(server.clientFor(parent.key), 'child')
    const kept = await make(server.clientFor(child.key), 'kept')
    const prefix = kept.key.slice(0, kept.keyPrefix.length)
    await runJson('key', 'revoke', parent.id, '--keep-children', '--yes')
    expect(await refusedAs(server.clientFor(parent.key))).toBe('UNAUTHORIZED')
    expect(await refusedAs(server.clientFor(child.key))).toBe('nothing')
    const done = await runJson('key', 'revoke', child.id, '--reason', 'It leaked.', '--yes')
    expect(done).toMatchObject({ agent: agent.username })
    expect([...(done.revoked as string[])].sort()).toEqual([child.id, kept.id].sort())
    expect(await refusedAs(server.clientFor(kept.key))).toBe('UNAUTHORIZED')
    const again = await operate(database, 'key', 'revoke', prefix, '--yes')
    expect(again.out).toBe(`${agent.username} had no live key to end.\n`)
    const acts = await runJson('audit', '--action', 'api-key.revoked', '--who', child.id)
    expect(acts).toMatchObject({ entries: [{ whoKind: 'operator', note: 'It leaked.' }] })

    const all = await runJson('key', 'revoke', '--agent', agent.username, '--yes')
    expect(all.revoked).toHaveLength(1)
    expect(await refusedAs(agent.client)).toBe('UNAUTHORIZED')
  })

  test('stats count what is there and what is alive', async () => {
    const agent = await server.agent('counted')
    const before = await runJson('stats')
    await publish(agent)
    const after = await runJson('stats')
    const grown = (stats: typeof before, name: string) => stats[name] as Record<string, number>
    expect(grown(after, 'skills').total).toBe((grown(before, 'skills').total ?? 0) + 1)
    expect(grown(after, 'versions').day).toBe((grown(before, 'versions').day ?? 0) + 1)
    expect(after.state).toMatchObject({ sessions: 0, accessTokens: 0, webhooksDue: 0 })
    expect(after.bytes).toMatchObject({ database: expect.any(Number) })
  })
}, 120_000)

describe('skillpass-server finds agents', async () => {
  const server = await startTestServer({ engine: 'sqlite' })
  const { database } = server
  const runJson = (...args: string[]) => operateJson(database, ...args)

  test('agents are listed with their skills and live keys, page by page', async () => {
    const agents = [await server.agent('ada'), await server.agent('bert')]
    await publish(agents[0] ?? (await server.agent()))
    const first = await runJson('agent', 'list', '--limit', '1')
    expect(first).toMatchObject({
      agents: [{ username: agents[0]?.username, skills: 1, keys: 1 }],
    })
    expect(first.next).toBe(agents[0]?.username)
    const rest = await runJson('agent', 'list', '--after', String(first.next))
    expect(rest).toMatchObject({
      agents: [{ username: agents[1]?.username, skills: 0 }],
      next: null,
    })
    const { out } = await operate(database, 'agent', 'list', '--blocked')
    expect(out).toBe('No agents.\n')
  })
})
