import type { IncomingHttpHeaders } from 'node:http'
import type { Random } from '../runtime/time.ts'

/** Where an act stands in a trace that spans services (W3C Trace Context). */
export interface Trace {
  /** 32 hexadecimal digits, the same in every service. */
  readonly traceId: string
  /** 16 hexadecimal digits: the span of this act. */
  readonly spanId: string
  /** Whether somebody records the trace. */
  readonly isSampled: boolean
  /** `tracestate`, which is passed on as it came. */
  readonly state: string | undefined
}

/** The headers by which a trace is handed on. */
export type TraceHeaders = Readonly<Record<'traceparent', string> & { tracestate?: string }>

/** Version 00 is exactly this; a later one may go on behind another dash (§3.2, §4.3). */
const parentForm = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

const nothing = /^0+$/

/**
 * The span of whoever called, as its headers tell it. Undefined where `traceparent` is missing,
 * repeated or not valid; `tracestate` counts for nothing then.
 */
export function readTrace(headers: IncomingHttpHeaders): Trace | undefined {
  const { traceparent, tracestate } = headers
  if (typeof traceparent !== 'string') return undefined
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    parentForm.exec(traceparent) ?? []
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined
  const isSampled = (Number.parseInt(flags, 16) & 1) === 1
  return { traceId, spanId, isSampled, state: readState(tracestate) }
}

/** Longest `tracestate`, and most members, that are passed on (§3.3). */
const stateLimits = { length: 512, members: 32 }

const stateMember =
  /^([a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})=[ !-+\--<>-~]{0,255}[!-+\--<>-~]$/

/** A list that breaks the rules is dropped as a whole. */
function readState(given: string | string[] | undefined): string | undefined {
  const text = Array.isArray(given) ? given.join(',') : (given ?? '')
  if (text.length > stateLimits.length) return undefined
  const members = text.split(',').map((member) => member.trim())
  const kept = members.filter((member) => member !== '')
  if (kept.length === 0 || kept.length > stateLimits.members) return undefined
  const keys = new Set(kept.map((member) => member.split('=')[0]))
  if (keys.size < kept.length || !kept.every((member) => stateMember.test(member))) return undefined
  return kept.join(',')
}

/** A span of its own under whoever called, or in a new trace that nobody records. */
export function beginTrace(random: Random, caller: Trace | undefined): Trace {
  // An id of zeros would be none.
  const hex = (length: number) =>
    Buffer.from(random.bytes(length)).toString('hex').replace(/^0/, '1')
  if (caller) return { ...caller, spanId: hex(8) }
  return { traceId: hex(16), spanId: hex(8), isSampled: false, state: undefined }
}

/** What to send to a service that is called within the trace. */
export function traceHeaders({ traceId, spanId, isSampled, state }: Trace): TraceHeaders {
  const traceparent = `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
  return state === undefined ? { traceparent } : { traceparent, tracestate: state }
}

const traces = new WeakMap<object, Trace>()

/** Notes the trace that a request is served in. */
export const setTrace = (req: object, trace: Trace): void => void traces.set(req, trace)

/** The trace that a request is served in. */
export const traceOf = (req: object): Trace | null => traces.get(req) ?? null

/** A trace as text, to be kept: `traceparent`, and `tracestate` behind a space. */
export function serializeTrace(trace: Trace): string {
  const { traceparent, tracestate } = traceHeaders(trace)
  return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`
}

/** A trace of what `serializeTrace` wrote. */
export function parseTrace(text: string | null): Trace | null {
  if (text === null) return null
  const [traceparent = '', ...state] = text.split(' ')
  return readTrace({ traceparent, tracestate: state.join(' ') }) ?? null
}
