import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What operators can watch. Labels hold route templates and statuses, never a value of a request. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly limited: Counter<'class'>
  readonly refused: Counter
  /** Requests that are being answered. */
  inFlight: number
  readonly away: Gauge<'service'>
  readonly outages: Counter<'service'>
  readonly unavailable: Counter
  readonly skills: Gauge
  readonly start: Gauge<'from'>
  readonly snapshots: Counter<'outcome'>
  readonly webhooks: Counter<'outcome'>
}

/** A fresh set of metrics, so that several servers in one process do not share them. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const metrics: Metrics = {
    registry,
    requests: new Histogram({
      name: 'skillpass_http_request_seconds',
      help: 'Time to answer a request.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
      registers,
    }),
    limited: new Counter({
      name: 'skillpass_rate_limited_total',
      help: 'Requests refused by a rate limit.',
      labelNames: ['class'],
      registers,
    }),
    refused: new Counter({
      name: 'skillpass_refused_total',
      help: 'Requests refused under overload, before any work was done for them.',
      registers,
    }),
    inFlight: 0,
    away: new Gauge({
      name: 'skillpass_away',
      help: '1 while Postgres or Redis does not answer, else 0.',
      labelNames: ['service'],
      registers,
    }),
    outages: new Counter({
      name: 'skillpass_outages_total',
      help: 'Times that Postgres or Redis stopped answering.',
      labelNames: ['service'],
      registers,
    }),
    unavailable: new Counter({
      name: 'skillpass_unavailable_total',
      help: 'Requests answered with 503 because Postgres was away.',
      registers,
    }),
    skills: new Gauge({
      name: 'skillpass_skills',
      help: 'Skills in the catalogue.',
      registers,
    }),
    start: new Gauge({
      name: 'skillpass_catalogue_load_seconds',
      help: 'Time to fill the catalogue at the start, from a snapshot or from the database.',
      labelNames: ['from'],
      registers,
    }),
    snapshots: new Counter({
      name: 'skillpass_snapshots_total',
      help: 'Snapshots of the catalogue, written or failed.',
      labelNames: ['outcome'],
      registers,
    }),
    webhooks: new Counter({
      name: 'skillpass_webhook_attempts_total',
      help: 'Attempts to deliver a webhook.',
      labelNames: ['outcome'],
      registers,
    }),
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
