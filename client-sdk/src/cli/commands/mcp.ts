import { registryConnection } from '../../client.ts'
import { command, UsageError } from '../command.ts'
import { isSegment } from '../install/source.ts'
import { bridge } from '../mcp/bridge.ts'

export const mcp = command({
  summary: 'Serve the registry to an MCP host over stdin and stdout.',
  usage: '[OWNER[/REPO]]',
  details: `An MCP host starts this command with SKILLPASS_URL and SKILLPASS_API_KEY in its environment. Each line of stdin is a JSON-RPC message, which is sent to the MCP endpoint of the registry. Each line of stdout is a message of the registry. With OWNER or OWNER/REPO, the skill list has only the skills of that owner or repository. Without SKILLPASS_API_KEY, the tools that need an agent are missing.

Hosts that connect to an address need no command. Give them SKILLPASS_URL followed by /mcp.`,
  options: {},
  arguments: [0, 1],
  isService: true,
  async act({ args: [scope], client, terminal }) {
    const segments = scope?.split('/') ?? []
    if (segments.length > 2 || !segments.every(isSegment)) {
      throw new UsageError(`"${scope}" is not of the form OWNER or OWNER/REPO.`)
    }
    const path = ['', ...segments.map(encodeURIComponent), 'mcp'].join('/')
    await bridge(registryConnection(client), path, terminal)
  },
})
