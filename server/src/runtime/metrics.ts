import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What operators can watch. Labels hold route templates and statuses, never a value of a request. */
export type Metrics = ReturnType<typeof createMetrics>

/** A fresh set of metrics, so that several servers in one process do not share them. */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name: `skillpass_${name}`, help, labelNames, registers })
  const gauge = <L extends string = never>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name: `skillpass_${name}`, help, labelNames, registers })
  const metrics = {
    registry,
    requests: new Histogram({
      name: 'skillpass_http_request_seconds',
      help: 'Time to answer a request.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
      registers,
    }),
    limited: counter('rate_limited_total', 'Requests refused by a rate limit.', 'class'),
    refused: counter(
      'refused_total',
      'Requests refused under overload, before any work was done for them.',
    ),
    /** Requests that are being answered. */
    inFlight: 0,
    away: gauge('away', '1 while Postgres or Redis does not answer, else 0.', 'service'),
    outages: counter('outages_total', 'Times that Postgres or Redis stopped answering.', 'service'),
    unavailable: counter(
      'unavailable_total',
      'Requests answered with 503 because Postgres was away.',
    ),
    skills: gauge('skills', 'Skills in the catalogue.'),
    start: gauge(
      'catalogue_load_seconds',
      'Time to fill the catalogue at the start, from a snapshot or from the database.',
      'from',
    ),
    snapshots: counter(
      'snapshots_total',
      'Snapshots of the catalogue, written or failed.',
      'outcome',
    ),
    webhooks: counter('webhook_attempts_total', 'Attempts to deliver a webhook.', 'outcome'),
  }
  new Gauge({
    name: 'skillpass_in_flight_requests',
    help: 'Requests that are being answered.',
    registers,
    collect() {
      this.set(metrics.inFlight)
    },
  })
  return metrics
}

/** What notes the outages of a service; 0 stands there from the start. */
export function noteOutages(
  { away, outages }: Pick<Metrics, 'away' | 'outages'>,
  service: 'postgres' | 'redis',
): (isAway: boolean) => void {
  away.set({ service }, 0)
  outages.inc({ service }, 0)
  return (isAway) => {
    away.set({ service }, isAway ? 1 : 0)
    if (isAway) outages.inc({ service })
  }
}
