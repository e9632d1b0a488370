import type { IncomingHttpHeaders } from 'node:http'

/** Version, trace id, span id and flags; ids of zeros are none (W3C Trace Context §3.2). */
const form = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/

/** The `traceparent` of a request; null if it is missing or invalid. */
export function readTraceparent({ traceparent }: IncomingHttpHeaders): string | null {
  return typeof traceparent === 'string' && form.test(traceparent) ? traceparent : null
}

/** The header that passes a trace on to another service. */
export const traceHeaders = (traceparent: string | null) => traceparent !== null && { traceparent }

/** The trace id of a valid `traceparent`, for the log. */
export const traceIdOf = (traceparent: string | null) => traceparent?.slice(3, 35)
