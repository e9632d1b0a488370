import { z } from 'zod'
import { c } from './router.ts'

/** A JSON-RPC message, or a stream of messages as server-sent events. */
const messages = c.otherResponse({ contentType: 'application/json', body: z.unknown() })

/**
 * The body of a request to an MCP server and its responses, without errors that are sent before the
 * protocol begins. A request has one JSON-RPC message, because the protocol has no batches since
 * 2025-06-18.
 */
export const mcpExchange = {
  body: z.record(z.string(), z.unknown()).describe('A JSON-RPC message.'),
  responses: {
    200: messages,
    202: c.noBody(),
    /** The message is not valid, or has an unknown protocol version. */
    400: messages,
    /** The method is unknown (protocol 2026-07-28). */
    404: messages,
    /** The client does not accept both JSON and event streams (protocol 2025-11-25). */
    406: messages,
  },
} as const
