import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import { apiVersion } from '@skillpass/contract'
import type { Logger } from 'pino'
import { createOutage } from '../runtime/outage.ts'
import { followDatabase } from './database.ts'
import { readTrace, type Trace, traceHeaders } from './trace.ts'
import type { Tracing } from './tracing.ts'

/**
 * Records spans by OpenTelemetry and sends them to the collector, an address that `/v1/traces` is put
 * behind, by OTLP over HTTP. The packages read the other OTEL_ variables of their specification
 * themselves. Names and attributes follow the semantic conventions of HTTP and databases, but hold
 * route templates and statements, never a value.
 */
export function recordTraces(collector: string, log: Logger): Tracing {
  const own = { 'service.name': 'skillpass', 'service.version': apiVersion }
  const exporter = new OTLPTraceExporter({ url: `${collector}/v1/traces` })
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(tellingOutages(exporter, log))],
  })
  const tracer = provider.getTracer('skillpass', apiVersion)
  const active = new AsyncLocalStorage<Context>()

  return {
    serve({ method, headers }) {
      const parent = contextOf(readTrace(headers) ?? null)
      const { name, attributes } = describeMethod(method)
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
      return {
        trace: asTrace(span),
        run: (next) => active.run(trace.setSpan(parent, span), next),
        end({ route, status }) {
          if (route !== undefined) {
            span.updateName(`${name} ${route}`)
            span.setAttribute('http.route', route)
          }
          span.setAttribute('http.response.status_code', status)
          if (status >= 500) fail(span, String(status))
          span.end()
        },
      }
    },
    async call({ method, url, trace: caller }, send, statusOf) {
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.CLIENT, attributes: { 'http.request.method': method, ...hostOf(url) } },
        contextOf(caller),
      )
      try {
        const sent = await send(traceHeaders(asTrace(span)))
        const status = statusOf(sent)
        if (status !== undefined) span.setAttribute('http.response.status_code', status)
        if (status === undefined || status >= 400) fail(span, String(status ?? 'no answer'))
        return sent
      } catch (error) {
        fail(span, nameOf(error))
        throw error
      } finally {
        span.end()
      }
    },
    database: (db) =>
      followDatabase(db, async (name, attributes, run) => {
        const before = active.getStore()
        // What no request asked for is not followed: pollers alone would fill the collector.
        if (!before) return run((work) => work())
        const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, before)
        const within = trace.setSpan(before, span)
        try {
          return await run((work) => active.run(within, work))
        } catch (error) {
          fail(span, nameOf(error))
          throw error
        } finally {
          span.end()
        }
      }),
    async stop(deadline) {
      const late = new Promise<void>((resolve) => {
        if (deadline.aborted) resolve()
        deadline.addEventListener('abort', () => resolve())
      })
      // What is not sent by then is lost; the exporter has told of the outage.
      await Promise.race([provider.shutdown().catch(() => {}), late])
    },
  }
}

/** The methods that the conventions know; clients may send others, and each would be a name of its own. */
const knownMethods = new Set('CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '))

const describeMethod = (method: string) =>
  knownMethods.has(method)
    ? { name: method, attributes: { 'http.request.method': method } }
    : {
        name: 'HTTP',
        attributes: { 'http.request.method': '_OTHER', 'http.request.method_original': method },
      }

/** The context of a span elsewhere. */
function contextOf(caller: Trace | null): Context {
  if (!caller) return ROOT_CONTEXT
  const { traceId, spanId, isSampled, state } = caller
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(state !== undefined && { traceState: createTraceState(state) }),
  })
}

function asTrace(span: Span): Trace {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext()
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0
  return { traceId, spanId, isSampled, state: traceState?.serialize() }
}

/** Messages of errors can hold values, so their kind alone is told. */
function fail(span: Span, kind: string): void {
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : 'unknown')

function hostOf(url: string) {
  if (!URL.canParse(url)) return {}
  const { hostname, port, protocol } = new URL(url)
  const usual = protocol === 'https:' ? 443 : 80
  return { 'server.address': hostname, 'server.port': port === '' ? usual : Number(port) }
}

/** Logs once when the collector does not take spans, and once when it does again. */
function tellingOutages(exporter: OTLPTraceExporter, log: Logger): SpanExporter {
  const outage = createOutage(
    log,
    'the collector at OTEL_EXPORTER_OTLP_ENDPOINT does not take traces; they are dropped meanwhile',
    'the collector takes traces again',
  )
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === 0) outage.worked()
        else outage.failed({ reason: result.error?.message })
        done(result)
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  }
}
