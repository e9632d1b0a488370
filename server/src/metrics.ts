import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What operators can watch. Labels hold route templates and statuses, never a value of a request. */
export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'method' | 'route' | 'status'>
  readonly limited: Counter<'class'>
  readonly skills: Gauge
  readonly webhooks: Counter<'outcome'>
}

/** A fresh set of metrics, so that several servers in one process do not share them. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  return {
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
    skills: new Gauge({ name: 'skillpass_skills', help: 'Skills in the catalogue.', registers }),
    webhooks: new Counter({
      name: 'skillpass_webhook_attempts_total',
      help: 'Attempts to deliver a webhook.',
      labelNames: ['outcome'],
      registers,
    }),
  }
}
