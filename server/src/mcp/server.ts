import {
  type CallToolResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { apiVersion } from '@skillpass/contract'
import type { Context } from '../context/context.ts'
import type { Dialect } from '../http/dialect.ts'
import { toFailure } from '../http/errors.ts'
import { requestIdOf } from '../http/request-log.ts'
import type { Exchange, Tool } from './tool.ts'

/** How long clients may cache the list of tools, which changes only with the version, ms. */
const listAge = 60 * 60_000

/** A version of a skill is immutable, but it can be hidden. */
export const fileCache = { ttlMs: 60_000, cacheScope: 'public' } as const

interface ToolServer {
  readonly name: string
  readonly title: string
  /** Advice for models, sent when a client connects. */
  readonly instructions: string
  readonly tools: readonly Tool[]
  /** Whether the list of tools depends on the caller's credential. */
  readonly isPrivate: boolean
  readonly dialect: Dialect
  /** Applies the limit and checks the credential of a tool before a call. */
  admit?(tool: Tool, exchange: Exchange): Promise<void>
}

/** Creates the MCP server for one message. */
export function createToolServer(ctx: Context, exchange: Exchange, parts: ToolServer): McpServer {
  const { name, title, instructions, tools, isPrivate, dialect, admit } = parts
  const cacheHint = { ttlMs: listAge, cacheScope: isPrivate ? 'private' : 'public' } as const
  const mcp = new McpServer(
    { name, title, version: apiVersion, websiteUrl: ctx.config.baseUrl },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
      instructions,
      cacheHints: {
        'tools/list': cacheHint,
        'server/discover': cacheHint,
        'resources/read': fileCache,
      },
    },
  )
  mcp.server.setRequestHandler('tools/list', () => ({
    tools: tools.map(({ definition }) => definition),
  }))
  mcp.server.setRequestHandler('tools/call', async ({ params }) => {
    const tool = tools.find(({ definition }) => definition.name === params.name)
    if (!tool) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
    }
    try {
      await admit?.(tool, exchange)
      return await tool.call(params.arguments ?? {}, exchange)
    } catch (error) {
      return errorResult(error)
    }
  })
  return mcp

  /** A failed call has the error of the contract as its text, so that a model can react to it. */
  function errorResult(error: unknown): CallToolResult {
    const failure = toFailure(error)
    const { status, body } = dialect(failure)
    if (status >= 500 && !failure.isShed) {
      ctx.log.error({ requestId: requestIdOf(exchange.res), err: error }, 'tool call failed')
    }
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }] }
  }
}
