import type { IncomingHttpHeaders } from 'node:http'
import type { Database } from '../db/open.ts'
import type { Random } from '../runtime/time.ts'
import { beginTrace, readTrace, type Trace, type TraceHeaders, traceHeaders } from './trace.ts'

/** A request that is served within a trace. */
export interface ServedRequest {
  readonly trace: Trace
  /** Goes on with the request, so that what it asks of the database belongs to it. */
  run(next: () => void): void
  /** To be called once, when the request is over. `route` is a template, never an address. */
  end(answer: { readonly route: string | undefined; readonly status: number }): void
}

/** A call to another service. */
export interface OutboundCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** The request that it is made for; null where it is made for none. */
  readonly trace: Trace | null
}

/** Follows what a request causes, here and in the services that are called for it. */
export interface Tracing {
  serve(request: { readonly method: string; readonly headers: IncomingHttpHeaders }): ServedRequest
  /**
   * Makes a call, with the headers by which it belongs to the trace. `statusOf` gives the status that
   * was answered; nothing where none was.
   */
  call<T>(
    outbound: OutboundCall,
    send: (headers: Partial<TraceHeaders>) => Promise<T>,
    statusOf: (sent: T) => number | undefined,
  ): Promise<T>
  /** The same database, its statements and transactions followed. */
  database(db: Database): Database
  /** Hands over what is left, and gives up at the signal. */
  stop(deadline: AbortSignal): Promise<void>
}

/** Hands traces on and records nothing. */
export const handOnTraces = (random: Random): Tracing => ({
  serve: ({ headers }) => ({
    trace: beginTrace(random, readTrace(headers)),
    run: (next) => next(),
    end: () => {},
  }),
  call: ({ trace }, send) => send(trace ? traceHeaders(trace) : {}),
  database: (db) => db,
  stop: async () => {},
})
