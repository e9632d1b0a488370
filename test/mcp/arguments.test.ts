import { expect, test } from 'vitest'
import { generalApp } from '../support/apps.ts'
import { misspelled } from '../support/arbitraries.ts'
import { connectMcp, textOf } from '../support/mcp.ts'
import { apiUrl, startOAuthServer } from '../support/oauth-server.ts'
import { nobody, publish } from '../support/skills.ts'
import { words } from '../support/words.ts'

const scopes =
  words(`user:read:user user:update:user meeting:read:list_meetings meeting:read:meeting
  meeting:write:meeting meeting:update:meeting meeting:delete:meeting`)
const server = await startOAuthServer({}, { apps: [generalApp('Assistant', scopes)] })
const agent = await server.agent()
const resource = `${apiUrl}/v2/mcp`
const { access_token } = await server.grantOf(server.app('Assistant'), { resource })
const botToken = await server.botTokenOf('Helper bot', { resource })

const connect = (path: string, token: string) =>
  connectMcp(new URL(path, server.url), 'auto', token)
const registry = await connect('/mcp', agent.apiKey)
const platform = await connect('/v2/mcp', access_token)
const bot = await connect('/v2/mcp', botToken)

const listed = await Promise.all(
  [registry, platform].map(async (client) => {
    const { tools } = await client.listTools()
    return tools.map(({ name, inputSchema }) => ({
      name,
      client: name === 'chat_message_send' ? bot : client,
      argumentNames: Object.keys(inputSchema.properties ?? {}),
    }))
  }),
)
const tools = listed.flat().map((tool) => [tool.name, tool] as const)

/** Arguments that hosts were seen to add to every call. */
const added = {
  ...{ sessionId: 's', session_id: 's', requestId: 'r', toolCallId: 'c', conversation_id: 'c' },
  ...{
    action: 'sendMessage',
    chatInput: 'Hi',
    tool: 't',
    _meta: {},
    progressToken: 1,
    threadId: 1,
  },
}

test.each(tools)('the arguments of %s are in snake case, like its name', (name, tool) => {
  for (const one of [name, ...tool.argumentNames]) expect(one).toMatch(/^[a-z]+(_[a-z]+)*$/)
})

test.each(tools)('%s refuses a misspelled argument with its known name', async (name, tool) => {
  for (const known of tool.argumentNames) {
    for (const wrong of misspelled(known)) {
      if (tool.argumentNames.includes(wrong)) continue
      const result = await tool.client.callTool({ name, arguments: { [wrong]: 'x' } })
      expect(result.isError).toBe(true)
      expect(textOf(result)).toContain(`${wrong} is not a known argument; did you mean ${known}?`)
    }
  }
})

test.each(tools)('%s ignores arguments that hosts add to every call', async (name, tool) => {
  const result = await tool.client.callTool({ name, arguments: added })
  for (const argument of Object.keys(added)) expect(textOf(result)).not.toContain(argument)
})

test('a tool of the registry that writes refuses every unknown argument', async () => {
  const skill = await publish(agent, { slug: 'judged' })
  const named = { name: 'Empty', slug: 'empty' }
  for (const [name, sent, wrong] of [
    ['publish_skill', { ...named, content: '# Lost' }, 'content'],
    ['publish_skill', { ...named, repository_id: nobody }, 'repository_id'],
    ['give_feedback', { id: skill.id, task: 'x', helpful: true, comment: 'x' }, 'comment'],
  ] as const) {
    const result = await registry.callTool({ name, arguments: sent })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain(`${wrong} is not a known argument; `)
  }
  const found = await server.client.registry.skills.search({ query: { q: 'empty' } })
  expect(found.total).toBe(0)
})

test('a tool that writes to the platform changes nothing if an argument is unknown or none is given', async () => {
  const recurrence = { type: 1, end_times: 2 }
  const made = await platform.callTool({
    name: 'meeting_create',
    arguments: { type: 8, topic: 'Kept', recurrence },
  })
  const meeting_id = String(Object(made.structuredContent).id)
  const read = () => platform.callTool({ name: 'meeting_get', arguments: { meeting_id } })
  const before = textOf(await read())
  for (const [name, sent, wrong] of [
    ['meeting_delete', { occurrence: '1' }, 'occurrence is not a known argument; did you'],
    ['meeting_delete', { query: { occurrence_id: '1' } }, 'query is not a known argument; known'],
    ['meeting_update', { body: { topic: 'x' } }, 'body is not a known argument; '],
    ['meeting_update', { topic: 'x', body: { agenda: 'x' } }, 'body is not a known argument; '],
    ['meeting_update', {}, 'arguments must contain a known change'],
    ['meeting_update', { settings: { focus_mode: true } }, 'must contain a known change'],
    ['user_update', { profile: { dept: 'x' } }, 'profile is not a known argument; '],
    ['meeting_create', { meeting: { topic: 'x' } }, 'meeting is not a known argument; '],
  ] as const) {
    const path = name.startsWith('user') || name.endsWith('create') ? {} : { meeting_id }
    const result = await platform.callTool({ name, arguments: { ...path, ...sent, ...added } })
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(wrong)])
    expect(textOf(await read())).toBe(before)
  }
  const deleted = { meeting_id, ...added }
  const result = await platform.callTool({ name: 'meeting_delete', arguments: deleted })
  expect(result.isError).toBeFalsy()
})

test('a platform tool that writes refuses a misspelled field, and ignores one that the platform lacks', async () => {
  const create = (settings: object) =>
    platform.callTool({ name: 'meeting_create', arguments: { topic: 'x', settings } })
  const wrong = await create({ waitingRoom: true })
  expect(textOf(wrong)).toContain(
    'settings.waitingRoom is not a known argument; did you mean waiting_room?',
  )
  expect((await create({ waiting_room: true, focus_mode: true })).isError).toBeFalsy()
})
