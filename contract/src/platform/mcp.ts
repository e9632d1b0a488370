import { mcpExchange } from '../mcp.ts'
import { metadata } from '../metadata.ts'
import { endpointScopes } from '../oauth/endpoint-scopes.ts'
import { mcpPaths } from '../oauth/resources.ts'
import { c } from '../router.ts'
import { platformErrorResponses } from './errors.ts'

/**
 * The platform as an MCP server (spec/decisions.md#resources). Each tool needs the scope of its
 * route.
 */
export const platformMcpContract = c.router({
  call: {
    method: 'POST',
    path: mcpPaths[0],
    body: mcpExchange.body,
    responses: { ...platformErrorResponses(413), ...mcpExchange.responses },
    metadata: metadata({ auth: 'accessToken', scopes: endpointScopes.mcp, limit: 'resource' }),
  },
})
