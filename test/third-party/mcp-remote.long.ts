import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { fetchCommand } from '../support/stock-command.ts'
import { eventually } from '../support/waiting.ts'
import { startService } from './oauth-service.ts'

const name = 'mcp-remote'
const command = await fetchCommand({ name, version: '0.15.1', script: 'dist/proxy.js' }, '20.20.0')

if ('missing' in command) test.skip(`${name} is not run: ${command.missing}`, () => {})
else {
  test('mcp-remote registers, signs a user in and lists the tools of the platform in development', async () => {
    const service = await startService({ NODE_ENV: 'development' })
    const home = await temporaryFolder()
    // Without a PATH it finds no browser and prints the address.
    const bridge = spawn(command.node, [command.script, `${service.url}/v2/mcp`], {
      env: { PATH: home, HOME: home, MCP_REMOTE_CONFIG_DIR: home },
    })
    const seen: string[] = []
    createInterface(bridge.stderr).on('line', (line) => {
      seen.push(line)
      const [address] = /https?:\/\/\S+\/oauth\/authorize\?\S+/.exec(line) ?? []
      // The user allows the app, and the browser follows the redirection to the bridge, which may
      // listen only later.
      if (address) {
        void service.allow(address).then((callback) => eventually(() => fetch(callback)))
      }
    })
    const send = (message: object) =>
      bridge.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const clientInfo = { name: 'test', version: '1' }
    const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
    send({ id: 1, method: 'initialize', params: hello })
    const names: string[] = []
    for await (const line of createInterface(bridge.stdout)) {
      const { id, result } = JSON.parse(line)
      if (id === 1) {
        send({ method: 'notifications/initialized' })
        send({ id: 2, method: 'tools/list' })
      }
      if (id !== 2) continue
      names.push(...result.tools.map((tool: { name: string }) => tool.name))
      bridge.kill()
    }
    expect(names, seen.join('\n')).toContain('search_meetings')
  })
}
