/**
 * Paths of the platform's MCP server: its own and that of the vendor (spec/decisions.md#resources).
 */
export const mcpPaths = ['/v2/mcp', '/mcp/meeting/streamable'] as const

/** Scopes that MCP clients request first. A tool that needs another scope names it. */
export const basicScopes: readonly string[] = [
  'user:read:user',
  'meeting:read:list_meetings',
  'meeting:read:meeting',
]
