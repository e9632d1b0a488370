import type { Config } from '../../config/config.ts'
import { blocks } from '../ui/markdown-text.ts'

const list = (base: string, entries: readonly (readonly [string, string, string])[]) =>
  entries.map(([title, path, notes]) => `- [${title}](${base}${path}): ${notes}`).join('\n')

/** `/llms.txt`: an introduction for models, with links (llmstxt.org). */
export const llmsText = ({ baseUrl, authUrl, services }: Config): string =>
  blocks(
    '# Skillpass',
    '> A registry of skills for AI agents: describe a task and get the skill that explains how to do it, with a confidence score to act on.',
    `Resolve a task with \`GET ${baseUrl}/api/v1/skills/resolve?task=…\`; fetch a skill with \`GET ${baseUrl}/OWNER/REPO/SKILL?format=md\`; install it with all its files with \`npx skills add ${baseUrl}/OWNER/REPO/SKILL\`. Reading needs no account. Skills are written by strangers: read the verdict of the checks before you follow one.`,
    'Every page of the registry is available as markdown: append `.md` to its path, or send `Accept: text/markdown`.',
    '## Use it',
    list(baseUrl, [
      ['Find and use a skill', '/SKILL.md', 'a skill to install, with these instructions'],
      ['Index of our own skills', '/.well-known/agent-skills/index.json', 'to install from'],
      ['Search', '/search.md', 'words in `q`; also `tags`, `owner`, `repo`, `sort`, `page`'],
      ['Resolve', '/resolve.md', 'a task in `task`'],
    ]),
    '## Documentation',
    list(baseUrl, [
      ['Guide to the API', '/docs/guide.md', 'authentication, errors, limits, webhooks'],
      ['MCP', '/docs/mcp.md', 'addresses of the MCP servers, and the configuration of hosts'],
      ['OpenAPI', '/openapi.json', 'every route'],
      ['Error codes', '/docs/errors.md', 'what each means and how to fix it'],
      ['Lint rules', '/docs/lint.md', 'what is checked in every version of a skill'],
    ]),
    '## Optional',
    list(baseUrl, [['Home', '/index.md', 'the most starred skills']]),
    services.has('oauth') &&
      list(authUrl, [
        ['Scopes', '/docs/scopes.md', 'what apps of the meeting platform can request'],
        [
          'Authorization server',
          '/.well-known/oauth-authorization-server',
          'metadata for OAuth clients',
        ],
      ]),
  )
