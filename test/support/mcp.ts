import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterFile } from './cleanup.ts'

const info = { name: 'skillpass-tests', version: '1.0.0' }

/**
 * The official clients: the 1.x line, the 2.x line with the newest protocol, and the 2.x line as
 * hosts use it.
 */
export const mcpClients = ['1.x', '2026-07-28', 'auto'] as const

export type McpClientName = (typeof mcpClients)[number]

type SecondLine = Exclude<McpClientName, '1.x'>

export const newClient = (name: SecondLine): Client =>
  new Client(info, { versionNegotiation: { mode: name === 'auto' ? 'auto' : { pin: name } } })

/** Connects a client of the 2.x line over any transport. */
export async function connectOver(
  transport: Transport,
  name: SecondLine = 'auto',
): Promise<Client> {
  const client = newClient(name)
  await client.connect(transport)
  afterFile(() => client.close())
  return client
}

/** Connects an official client to an MCP server by HTTP, with a bearer token if given. */
export function connectMcp(url: string | URL, name: SecondLine, token?: string): Promise<Client>
export function connectMcp(
  url: string | URL,
  name: McpClientName,
  token?: string,
): Promise<Client | FirstClient>
export async function connectMcp(url: string | URL, name: McpClientName, token?: string) {
  const requestInit = { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }
  if (name !== '1.x') {
    return connectOver(new StreamableHTTPClientTransport(new URL(url), { requestInit }), name)
  }
  const client = new FirstClient(info)
  const transport = new FirstTransport(new URL(url), { requestInit })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  afterFile(() => client.close())
  return client
}

/** Sends one message of the protocol 2025-11-25 without a client. */
export const sendMcp = (url: URL, message: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })

/** A message that calls a tool. */
export const toolCall = (name: string, args: object = {}) => ({
  method: 'tools/call',
  params: { name, arguments: args },
})

/** Messages that every MCP server handles without a tool, with the status of each response. */
export const statusOfMessages: [
  status: number,
  message: object,
  headers?: Record<string, string>,
][] = [
  [200, { method: 'tools/list' }],
  [202, { method: 'notifications/initialized', id: undefined }],
  [400, { jsonrpc: '1.0' }],
  [404, { method: 'subscriptions/listen' }],
  [406, { method: 'tools/list' }, { accept: 'application/json' }],
  [413, { method: 'x'.repeat(1024 * 1024) }],
]

/** Returns the text of a tool's result. */
export const textOf = (result: object): string =>
  ('content' in result && Array.isArray(result.content) ? result.content : [])
    .map((block: { text?: string }) => block.text ?? '')
    .join('\n')

/** Returns the URI of the first link in a tool's result. */
export const linkOf = (result: object): string =>
  ('content' in result && Array.isArray(result.content) ? result.content : []).find(
    (block: { type: string }) => block.type === 'resource_link',
  )?.uri ?? ''
