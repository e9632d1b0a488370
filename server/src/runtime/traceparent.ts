import type { IncomingHttpHeaders } from 'node:http'

/** Version, trace id, span id and flags. Ids of only zeros are invalid (W3C Trace Context §3.2). */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** Returns the `traceparent` of a request, or null if it is missing or invalid. */
export function readTraceparent({ traceparent }: IncomingHttpHeaders): string | null {
  return typeof traceparent === 'string' && form.test(traceparent) ? traceparent : null
}

/** Returns the header that passes the trace to another service. */
export const traceHeaders = (traceparent: string | null) => traceparent !== null && { traceparent }

export const traceIdOf = (traceparent: string | null) => traceparent?.slice(3, 35)
