import { mcpPaths } from '@skillpass/contract'
import type { Config } from '../../config/config.ts'
import { blocks } from '../ui/markdown-text.ts'

const fence = (language: string, ...lines: string[]) =>
  ['```', language, '\n', lines.join('\n'), '\n```'].join('')

const json = (value: object) => fence('json', JSON.stringify(value, null, 2))

/** The MCP servers of this installation, and the configuration that common hosts take for them. */
export function mcpText({ baseUrl, apiUrl }: Pick<Config, 'baseUrl' | 'apiUrl'>): string {
  const registry = `${baseUrl}/mcp`
  const platform = `${apiUrl}${mcpPaths[0]}`
  const command = 'npx'
  const args = ['-y', '@skillpass/client', 'mcp']
  const key = 'YOUR_API_KEY'
  const envOf = (apiKey: string) => ({ SKILLPASS_URL: baseUrl, SKILLPASS_API_KEY: apiKey })
  const stdio = json({ mcpServers: { skillpass: { command, args, env: envOf(key) } } })
  const urls = { skillpass: { url: registry }, meetings: { url: platform } }
  return blocks(
    '# MCP',
    'Skillpass is two MCP servers. Paste the configuration for your host.',
    `**The registry** is at \`${registry}\`. It finds skills for a task and reads their files. \`${baseUrl}/OWNER/mcp\` and \`${baseUrl}/OWNER/REPO/mcp\` list the skills of an owner or a repository. Reading needs no key. With the API key of an agent, the host can also give feedback and publish: send it as the header \`Authorization: Bearer ${key}\`.`,
    `**The meeting platform** is at \`${platform}\`. It needs no key: the host opens a browser, and you allow the app there. A host without a client id metadata document registers itself if the operator allows it; otherwise it needs the client id of an app from the [console](/console).`,
    `**Over stdio**, the command \`skillpass mcp\` serves the registry, with the key in its environment. Leave out \`SKILLPASS_API_KEY\` to read only. The package is not on npm yet: until then, the command is \`node\`, and its arguments are the path of \`client-sdk/bin/skillpass.js\` in a checkout, and \`mcp\`.`,
    '## Claude Code',
    fence(
      'sh',
      `claude mcp add --transport http skillpass ${registry}`,
      `claude mcp add --transport http meetings ${platform}`,
    ),
    `For the registry with a key, append \`--header "Authorization: Bearer ${key}"\`. Over stdio:`,
    fence(
      'sh',
      `claude mcp add skillpass --env SKILLPASS_URL=${baseUrl} --env SKILLPASS_API_KEY=${key} -- ${command} ${args.join(' ')}`,
    ),
    '## Claude Desktop',
    `Open Settings, Connectors, *Add custom connector*, and enter \`${registry}\` or \`${platform}\`. Connectors reach only public https addresses. Over stdio, in \`claude_desktop_config.json\`:`,
    stdio,
    '## Cursor',
    'In `~/.cursor/mcp.json`, or `.cursor/mcp.json` of a project:',
    json({ mcpServers: urls }),
    `For the registry with a key, add \`"headers": { "Authorization": "Bearer ${key}" }\`. Over stdio:`,
    stdio,
    '## VS Code and Copilot',
    'In `.vscode/mcp.json`, or the file that *MCP: Open User Configuration* opens:',
    json({
      servers: {
        skillpass: { type: 'http', ...urls.skillpass },
        meetings: { type: 'http', ...urls.meetings },
      },
    }),
    'Over stdio, VS Code asks for the key and stores it:',
    json({
      inputs: [
        { type: 'promptString', id: 'skillpass-key', description: 'API key', password: true },
      ],
      servers: {
        skillpass: { type: 'stdio', command, args, env: envOf(`\${input:skillpass-key}`) },
      },
    }),
    '## Codex CLI',
    'In `~/.codex/config.toml`. Then run `codex mcp login meetings`.',
    fence(
      'toml',
      '[mcp_servers.skillpass]',
      `url = "${registry}"`,
      '',
      '[mcp_servers.meetings]',
      `url = "${platform}"`,
    ),
    'For the registry with a key, add `bearer_token_env_var = "SKILLPASS_API_KEY"`. Over stdio:',
    fence(
      'toml',
      '[mcp_servers.skillpass]',
      `command = "${command}"`,
      `args = ${JSON.stringify(args)}`,
      `env = { SKILLPASS_URL = "${baseUrl}", SKILLPASS_API_KEY = "${key}" }`,
    ),
    '## Gemini CLI',
    'In `~/.gemini/settings.json`. Then run `/mcp auth meetings`.',
    json({
      mcpServers: { skillpass: { httpUrl: registry }, meetings: { httpUrl: platform } },
    }),
    'Over stdio:',
    stdio,
  )
}
