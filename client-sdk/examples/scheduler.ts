// A meeting scheduler over MCP. It reads the skill for its task, asks its user for permission once,
// in a browser, and creates the meeting.
//
//   npm install @modelcontextprotocol/client   # not a dependency of @skillpass/client
//   SKILLPASS_CLIENT_ID=… npx tsx scheduler.ts "Weekly" 2027-01-11T09:30:00Z
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import {
  auth,
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'

const {
  SKILLPASS_URL: baseUrl = 'http://localhost:3000',
  SKILLPASS_API_URL: apiUrl = baseUrl,
  // Id of a public app, or the address of your client metadata document.
  SKILLPASS_CLIENT_ID: clientId = '',
  SKILLPASS_REDIRECT_URI: redirectUrl = 'http://127.0.0.1:8090/callback',
} = process.env
const [topic, startTime] = process.argv.slice(2)

const info = { name: 'scheduler', version: '1.0.0' }
const registry = new Client(info)
await registry.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`)))
const task = 'schedule a meeting'
const resolved = await registry.callTool({ name: 'resolve_skills', arguments: { task, limit: 1 } })
const { data } = resolved.structuredContent as { data: { skill: { id: string; name: string } }[] }
for (const { skill } of data) {
  // This text goes into the context of the model, which then chooses the arguments of the tools.
  await registry.callTool({ name: 'get_skill', arguments: { id: skill.id } })
  console.log(`Read ${skill.name}.`)
}

// Memory of one run. To ask the user only once ever, save the tokens.
const memory: { tokens?: OAuthTokens; verifier?: string; discovery?: OAuthDiscoveryState } = {}
const state = randomUUID()
const authProvider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata: { redirect_uris: [redirectUrl] },
  state: () => state,
  clientInformation: () => ({ client_id: clientId }),
  tokens: () => memory.tokens,
  saveTokens: (tokens) => void Object.assign(memory, { tokens }),
  codeVerifier: () => memory.verifier ?? '',
  saveCodeVerifier: (verifier) => void Object.assign(memory, { verifier }),
  discoveryState: () => memory.discovery,
  saveDiscoveryState: (discovery) => void Object.assign(memory, { discovery }),
  redirectToAuthorization: (url) => console.log(`Open ${url}`),
}

const url = new URL(`${apiUrl}/v2/mcp`)
const transport = new StreamableHTTPClientTransport(url, { authProvider })
const answer = callback()
await auth(authProvider, { serverUrl: url, scope: 'meeting:write:meeting' })
await transport.finishAuth(await answer)
const platform = new Client(info)
await platform.connect(transport)
const args = { topic, start_time: startTime, duration: 45 }
const { content } = await platform.callTool({ name: 'meeting_create', arguments: args })
for (const block of content) if (block.type === 'text') console.log(block.text)
await Promise.all([registry.close(), platform.close()])

/** Waits for the redirect with our `state`. Another one may be forged. */
function callback() {
  const { hostname, port, pathname } = new URL(redirectUrl)
  return new Promise<URLSearchParams>((resolve) => {
    const server = createServer(({ url = '' }, response) => {
      const asked = new URL(url, redirectUrl)
      const isOurs = asked.pathname === pathname && asked.searchParams.get('state') === state
      response.writeHead(isOurs ? 200 : 400, { connection: 'close' })
      response.end(isOurs ? 'Done. You can close this page.' : 'Unknown request.')
      if (isOurs) server.close(() => resolve(asked.searchParams))
    }).listen(Number(port), hostname)
  })
}
