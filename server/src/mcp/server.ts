import { Readable } from 'node:stream'
import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { apiVersion } from '@skillpass/contract'
import { fail } from '../errors/failure.ts'
import type { Dialect } from '../http/dialects.ts'
import { toFailure } from '../http/errors.ts'
import { requestIdOf } from '../http/request-log.ts'
import type { Context } from '../runtime/context.ts'
import { loopbackHosts } from '../runtime/loopback.ts'
import { signalOf } from '../runtime/request-signal.ts'
import type { Exchange, Tool } from './tool.ts'

/** How long clients may cache the list of tools, which changes only with the version, ms. */
const listAge = 60 * 60_000

/** A version of a skill is immutable, but it can be hidden or private. */
export const fileCache = (isPrivate: boolean) =>
  ({ ttlMs: 60_000, cacheScope: isPrivate ? 'private' : 'public' }) as const

interface ToolServer {
  readonly name: string
  readonly title: string
  /** Advice for models, sent when a client connects. */
  readonly instructions: string
  readonly tools: readonly Tool[]
  /** Whether the tools and resources depend on the caller's credential. */
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
        'resources/read': fileCache(isPrivate),
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

/** Statuses of responses that the protocol defines. */
const statuses = [200, 202, 400, 404, 406] as const

/**
 * Creates a function that responds to a JSON-RPC message, in both eras of the protocol (2026-07-28
 * and 2025-11-25). There are no sessions: each message gets its own server, so any node can respond
 * to any message.
 */
export function createMcpEndpoint(ctx: Context, serverFor: (exchange: Exchange) => McpServer) {
  const exchanges = new WeakMap<object, Exchange>()
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const exchange = requestInfo && exchanges.get(requestInfo)
      if (!exchange) throw new Error('an MCP server is needed outside of a request')
      return serverFor(exchange)
    },
    { onerror: (error) => ctx.log.debug({ err: error }, 'MCP message refused') },
  )
  return async (exchange: Exchange, message: Record<string, unknown>) => {
    const { req, res } = exchange
    if (message.method === 'subscriptions/listen') return refuseSubscription(message)
    const request = new Request(new URL(req.originalUrl, ctx.config.baseUrl), {
      method: 'POST',
      headers: Object.entries(req.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      ),
      signal: signalOf(req),
    })
    exchanges.set(request, exchange)
    const response = await handler.fetch(request, { parsedBody: message })
    const status = statuses.find((one) => one === response.status) ?? fail(500)
    res.setHeaders(response.headers)
    if (status === 202) return { status, body: undefined }
    // Wait for the whole response, so that the load shedder counts the call until then.
    const bytes = Buffer.from(await response.arrayBuffer())
    res.setHeader('Content-Length', bytes.length)
    return { status, body: Readable.from([bytes]) }
  }
}

/**
 * Lists have a lifetime instead of notifications, because a stream would bind a client to a node.
 */
const refuseSubscription = ({ id = null }: Record<string, unknown>) => ({
  status: 404 as const,
  body: {
    jsonrpc: '2.0',
    id,
    error: { code: ProtocolErrorCode.MethodNotFound, message: 'There are no notifications.' },
  },
})

/**
 * Whether a request was sent to this service by its own name, and by a program or by a page of this
 * service. Otherwise a page that rebinds its host name to a local server could call it.
 */
export function isFromOwnHost({ config }: Context, { headers }: Exchange['req']): boolean {
  const own = [config.baseUrl, config.authUrl, config.apiUrl].map((url) => new URL(url).hostname)
  const isOwn = (url: string) => {
    if (!URL.canParse(url)) return false
    const { hostname } = new URL(url)
    // Programs on the same computer may reach the server by a loopback name.
    return own.includes(hostname) || loopbackHosts.has(hostname)
  }
  const { host = '', origin } = headers
  return isOwn(`http://${host}`) && (origin === undefined || isOwn(origin))
}
