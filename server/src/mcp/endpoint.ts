import { Readable } from 'node:stream'
import { createMcpHandler, type McpServer, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Context } from '../context/context.ts'
import { fail } from '../errors/failure.ts'
import { signalOf } from '../runtime/request-signal.ts'
import type { Exchange } from './tool.ts'

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

/** Lists have a lifetime instead of notifications, because a stream would bind a client to a node. */
const refuseSubscription = ({ id = null }: Record<string, unknown>) => ({
  status: 404 as const,
  body: {
    jsonrpc: '2.0',
    id,
    error: { code: ProtocolErrorCode.MethodNotFound, message: 'There are no notifications.' },
  },
})
