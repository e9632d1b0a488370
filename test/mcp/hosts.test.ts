import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, test } from 'vitest'
import { connectMcp, connectOver } from '../support/mcp.ts'
import { clientCommand } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'

interface HostServer {
  readonly url?: string
  readonly httpUrl?: string
  readonly serverUrl?: string
  readonly command?: string
  readonly args?: string[]
  readonly env?: Record<string, string>
}

const server = await startTestServer({ env: { API_URL: 'http://api.test' } })
const { baseUrl, apiUrl } = server.ctx.config
const text = await (await server.http('/docs/mcp.md')).text()
const blocksOf = (language: string) =>
  [...text.matchAll(/```(\w+)\n(.*?)\n```/gs)].flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  )
const configured: [string, HostServer][] = blocksOf('json').flatMap((block) => {
  const { mcpServers, servers } = JSON.parse(block)
  return Object.entries<HostServer>(mcpServers ?? servers)
})

test('every JSON configuration of /docs/mcp parses and names the addresses of this installation', () => {
  const addresses = { skillpass: `${baseUrl}/mcp`, meetings: `${apiUrl}/v2/mcp` }
  const byAddress = configured.filter(([, { command }]) => command === undefined)
  expect(byAddress).toHaveLength(10)
  for (const [name, { url, httpUrl, serverUrl }] of byAddress) {
    expect({ [name]: url ?? httpUrl ?? serverUrl }).toEqual({
      [name]: addresses[name as keyof typeof addresses],
    })
  }
  for (const block of [...blocksOf('sh'), ...blocksOf('toml')]) expect(block).toContain(baseUrl)
  const added = blocksOf('sh')
    .join('\n')
    .matchAll(/--add-mcp '(.*)'/g)
  expect(Array.from(added, ([, json = '']) => JSON.parse(json).url)).toEqual([
    addresses.skillpass,
    addresses.meetings,
  ])
})

test('the address of the registry in /docs/mcp serves an official client', async () => {
  const { pathname } = new URL(configured.find(([, { url }]) => url)?.[1].url ?? '')
  const client = await connectMcp(server.url + pathname, 'auto')
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('resolve_skills')
})

test('the command of every stdio configuration in /docs/mcp serves an official client', async () => {
  const { apiKey } = await server.agent('host')
  const commands = configured.filter(([, { command }]) => command)
  expect(commands).toHaveLength(2)
  for (const [, { command, args = [], env = {} }] of commands) {
    expect({ command, args: args.slice(0, -1) }).toEqual({
      command: 'node',
      args: ['/path/to/skillpass/client-sdk/bin/skillpass.js'],
    })
    expect(env.SKILLPASS_URL).toBe(baseUrl)
    const client = await connectOver(
      new StdioClientTransport({
        command: process.execPath,
        args: [clientCommand, ...args.slice(-1)],
        env: { ...env, SKILLPASS_URL: server.url, SKILLPASS_API_KEY: apiKey },
      }),
    )
    expect((await client.listTools()).tools).toHaveLength(6)
  }
})
