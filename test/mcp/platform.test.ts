import { describe, expect, test } from 'vitest'
import { generalApp } from '../support/apps.ts'
import {
  connectMcp,
  mcpClients,
  sendMcp,
  statusOfMessages,
  textOf,
  toolCall,
} from '../support/mcp.ts'
import { apiUrl, startOAuthServer } from '../support/oauth-server.ts'

const resource = `${apiUrl}/v2/mcp`
const paths = ['/v2/mcp', '/mcp/meeting/streamable']
const toolScopes = {
  user_get: 'user:read:user',
  user_update: 'user:update:user',
  search_meetings: 'meeting:read:list_meetings',
  meeting_get: 'meeting:read:meeting',
  meeting_create: 'meeting:write:meeting',
  meeting_update: 'meeting:update:meeting',
  meeting_delete: 'meeting:delete:meeting',
  chat_message_send: 'imchat:bot',
} as const
const userScopes = Object.values(toolScopes).filter((scope) => scope !== 'imchat:bot')

const server = await startOAuthServer({}, { apps: [generalApp('Assistant', userScopes)] })
const assistant = server.app('Assistant')
const { access_token: token } = await server.grantOf(assistant, { resource })
const at = (path: string) => new URL(path, server.url)
const bearer = (value: unknown) => ({ authorization: `Bearer ${value}` })

describe.each(mcpClients)('the official client %s', (name) => {
  test.each(paths)('calls every tool of the platform at %s', async (path) => {
    const client = await connectMcp(at(path), name, token)
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(Object.keys(toolScopes))
    const use = async (tool: string, args: Record<string, unknown> = {}) => {
      const result = await client.callTool({ name: tool, arguments: args })
      expect(result.isError, textOf(result)).toBeFalsy()
      return result
    }
    const email = 'member@acme.test'
    expect(await use('user_get')).toMatchObject({ structuredContent: { email } })
    await use('user_update', { user_id: 'me', dept: 'Research' })
    const created = await use('meeting_create', {
      topic: `Planning ${name}`,
      start_time: '2030-01-01T10:00:00Z',
    })
    expect(textOf(created)).toContain('2030-01-01T10:00:00Z')
    const { id } = created.structuredContent as { id: number }
    const meeting_id = String(id)
    await use('meeting_update', { meeting_id, agenda: 'Goals' })
    const read = await use('meeting_get', { meeting_id })
    expect(read.structuredContent).toMatchObject({ id, agenda: 'Goals' })
    const listed = await use('search_meetings', { page_size: 300 })
    expect(textOf(listed)).toContain(`Planning ${name}`)
    await use('meeting_delete', { meeting_id })
    const missing = await client.callTool({ name: 'meeting_get', arguments: { meeting_id } })
    expect(JSON.parse(textOf(missing))).toMatchObject({ code: 3001 })
  })
})

test('MCP reads, changes and deletes one occurrence, and refuses an unknown one', async () => {
  const client = await connectMcp(at('/v2/mcp'), 'auto', token)
  const use = async (tool: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name: tool, arguments: args })
    return result.isError ? JSON.parse(textOf(result)).code : result.structuredContent
  }
  const start_time = '2030-01-01T10:00:00Z'
  const made = await use('meeting_create', {
    type: 8,
    start_time,
    recurrence: { type: 1, end_times: 2 },
  })
  const meeting_id = String(made.id)
  for (const id of [Date.parse(start_time), String(Date.parse(start_time))]) {
    const one = { meeting_id, occurrence_id: id }
    await use('meeting_update', { ...one, agenda: `Own ${typeof id}`, duration: 15 })
    expect(await use('meeting_get', one)).toMatchObject({
      agenda: `Own ${typeof id}`,
      duration: 15,
    })
  }
  expect(await use('meeting_get', { meeting_id })).toMatchObject({ agenda: '', duration: 60 })
  for (const tool of ['meeting_get', 'meeting_update', 'meeting_delete']) {
    const more = { meeting_id, ...(tool === 'meeting_update' && { topic: 'Other' }) }
    expect(await use(tool, { ...more, occurrence_id: '1' })).toBe(3001)
    expect(await use(tool, { ...more, occurrence_id: null })).toBe(300)
  }
  await use('meeting_delete', { meeting_id, occurrence_id: Date.parse(start_time) })
  expect(await use('meeting_get', { meeting_id })).toMatchObject({
    topic: 'My Meeting',
    occurrences: [{ start_time: '2030-01-02T10:00:00Z', duration: 60 }],
  })
})

test('a chatbot sends a message over MCP with its client token', async () => {
  const access_token = await server.botTokenOf('Helper bot', { resource })
  const client = await connectMcp(at('/v2/mcp'), 'auto', access_token)
  const result = await client.callTool({
    name: 'chat_message_send',
    arguments: {
      robot_jid: 'helper@bots.acme.test',
      to_jid: 'member@acme.test',
      content: { head: { text: 'Hello' } },
    },
  })
  expect(result.structuredContent).toMatchObject({ to_jid: 'member@acme.test' })
})

describe.each(paths)('at %s', (path) => {
  const metadata = `${apiUrl}/.well-known/oauth-protected-resource${path}`

  test('a request without a valid token learns the address of the metadata and the basic scopes', async () => {
    const basic = 'scope="user:read:user meeting:read:list_meetings meeting:read:meeting"'
    const without = await sendMcp(at(path), { method: 'tools/list' })
    const challenge = without.headers.get('www-authenticate') ?? ''
    expect(without.status).toBe(401)
    expect(challenge).toContain(`resource_metadata="${metadata}"`)
    expect(challenge).toContain(basic)
    expect(challenge).not.toContain('error=')
    const invalid = await sendMcp(at(path), { method: 'tools/list' }, bearer('no'))
    expect(invalid.headers.get('www-authenticate')).toContain('error="invalid_token"')
    const read = await server.http(new URL(metadata).pathname)
    expect(await read.json()).toMatchObject({ resource: `${apiUrl}${path}` })
  })

  test.each(Object.entries(toolScopes))('a refusal of %s names its scopes', async (name, scope) => {
    const other = scope === 'user:read:user' ? 'meeting:read:meeting' : 'user:read:user'
    const { access_token } = await server.grantOf(assistant, { resource, scope: other })
    const refused = await sendMcp(at(path), toolCall(name), bearer(access_token))
    expect(refused.status).toBe(403)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toMatch(new RegExp(`scope="[^"]*\\b${scope}\\b`))
    expect(challenge).toMatch(new RegExp(`scope="[^"]*\\b${other}\\b`))
    expect(challenge).toContain(`resource_metadata="${metadata}"`)
  })
})

test('a token of the resource API opens no tool, and a token of the MCP server no other route', async () => {
  const api = await server.grantOf(assistant)
  const refused = await sendMcp(at('/v2/mcp'), toolCall('user_get'), bearer(api.access_token))
  expect(refused.status).toBe(401)
  expect((await server.me(token)).status).toBe(401)
  expect((await server.me(api.access_token)).status).toBe(200)
})

test('malformed messages to the platform get the responses of the contract', async () => {
  const send = (message: object, headers: Record<string, string> = {}) =>
    sendMcp(at('/v2/mcp'), message, { ...bearer(token), ...headers })
  for (const [status, message, headers] of statusOfMessages) {
    expect((await send(message, headers)).status).toBe(status)
  }
  const foreign = await send({ method: 'tools/list' }, { origin: 'http://evil.test' })
  expect([foreign.status, await foreign.json()]).toMatchObject([403, { code: 403 }])
})
