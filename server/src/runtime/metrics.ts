import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Metrics for operators. Labels are route templates and statuses, never values of a request. */
export type Metrics = ReturnType<typeof createMetrics>

/** Creates a separate registry, so that several servers in one process do not share metrics. */
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
      help: 'Response time.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
      registers,
    }),
    limited: counter('rate_limited_total', 'Requests refused by a rate limit.', 'class'),
    refused: counter('refused_total', 'Requests refused because of overload, before processing.'),
    inFlight: 0,
    unsentBytes: () => 0,
    away: gauge('away', '1 while Postgres or Redis does not respond, otherwise 0.', 'service'),
    outages: counter(
      'outages_total',
      'Number of times that Postgres or Redis stopped responding.',
      'service',
    ),
    unavailable: counter(
      'unavailable_total',
      'Requests that returned 503 because Postgres was unavailable.',
    ),
    skills: gauge('skills', 'Skills in the catalogue.'),
    start: gauge(
      'catalogue_load_seconds',
      'Time to load the catalogue at the start, from a snapshot or from the database.',
      'from',
    ),
    snapshots: counter(
      'snapshots_total',
      'Snapshots of the catalogue, written or failed.',
      'outcome',
    ),
    webhooks: counter('webhook_attempts_total', 'Attempts to deliver a webhook.', 'outcome'),
  }
  const measured = (name: string, help: string, measure: () => number) =>
    new Gauge({
      name: `skillpass_${name}`,
      help,
      registers,
      collect() {
        this.set(measure())
      },
    })
  measured('in_flight_requests', 'Requests in flight.', () => metrics.inFlight)
  measured('unsent_bytes', 'Bytes that clients have not read.', () => metrics.unsentBytes())
  return metrics
}

/** Returns a function that records outages of a service. Both metrics start at 0. */
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
