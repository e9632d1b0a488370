import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { errorCode } from '../errors/error-code.ts'
import type { Random } from '../runtime/time.ts'
import { handOnTraces, type Tracing } from './tracing.ts'

/**
 * What follows requests: recorded for a collector where one is configured, handed on alone elsewhere.
 * OpenTelemetry is loaded in the first case only.
 */
export async function openTracing(
  { traceCollector }: Pick<Config, 'traceCollector'>,
  { log, random }: { log: Logger; random: Random },
): Promise<Tracing> {
  if (traceCollector === undefined) return handOnTraces(random)
  const { recordTraces } = await import('./opentelemetry.ts').catch((error: unknown) => {
    if (errorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but the optional packages of OpenTelemetry are not installed: run `npm ci` without --omit=optional.',
    )
  })
  return recordTraces(traceCollector, log)
}
