import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { temporaryFolder } from '../support/cleanup.ts'
import { hasProgram } from '../support/lacking.ts'
import { root } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { deployFile } from './deploy-files.ts'

const Dashboard = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).default([]) })),
})
const Rules = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
})

const dashboard = Dashboard.parse(JSON.parse(await deployFile('grafana-dashboard.json')))
const alerts = Rules.parse(parse(await deployFile('alerts.yaml'))).groups.flatMap(
  ({ rules }) => rules,
)
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

const { registry } = (await startTestServer()).ctx.metrics
/** The metrics of a server by name, with the names of their labels. */
const exposed = new Map(
  registry.getMetricsAsArray().flatMap(({ name, ...metric }) => {
    const labels = 'labelNames' in metric ? z.array(z.string()).parse(metric.labelNames) : []
    const parts = metric.type.toString() === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
    return parts.map((part) => [`${name}${part}`, new Set([...labels, 'le'])] as const)
  }),
)
/** Labels that Prometheus adds. */
const added = ['job', 'instance']

const namesIn = (expr: string) => expr.match(/\b(?:skillpass|process|nodejs)_\w+/g) ?? []

test('the dashboard and the alerts query metrics that a server exposes', () => {
  const expressions = [...shown, ...alerts.map(({ expr }) => expr)]
  expect(expressions.length).toBeGreaterThan(30)
  for (const expr of expressions) {
    const names = namesIn(expr)
    if (!expr.startsWith('up{')) expect(names, expr).not.toEqual([])
    for (const name of names) expect([...exposed.keys()], expr).toContain(name)
    for (const [, name = '', matchers = ''] of expr.matchAll(/(\w+)\{([^}]*)\}/g)) {
      const labels = [...matchers.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label]) => label)
      const known = [...added, ...(exposed.get(name) ?? [])]
      expect(known, expr).toEqual(expect.arrayContaining(labels))
    }
  }
})

test('every Skillpass metric is on the dashboard', () => {
  const names = new Set(shown.flatMap(namesIn))
  const own = [...exposed.keys()].filter((name) => name.startsWith('skillpass_'))
  expect(own.length).toBeGreaterThan(10)
  for (const name of own) expect([...names]).toContain(name)
})

test('the operating guide explains every alert and no other', async () => {
  const guide = await readFile(join(root, 'server/docs/operating.md'), 'utf8')
  const explained = [...guide.matchAll(/^\| `(Skillpass\w+)` \|/gm)].map(([, name]) => name)
  expect(explained).toEqual(alerts.map(({ alert }) => alert))
})

/** Metrics of an hour with every fault: name, labels, and a value per minute. */
const faultyHour = [
  ['up', '', '1x5 0x60'],
  ['skillpass_http_request_seconds_count', 'status="200"', '0+1000x70'],
  ['skillpass_http_request_seconds_count', 'status="503"', '0+100x70'],
  ['skillpass_http_request_seconds_bucket', 'le="0.5"', '0+1000x70'],
  ['skillpass_http_request_seconds_bucket', 'le="2"', '0+1100x70'],
  ['skillpass_http_request_seconds_bucket', 'le="+Inf"', '0+1100x70'],
  ['skillpass_away', 'service="postgres"', '1x70'],
  ['skillpass_refused_total', '', '0+300x70'],
  ['process_start_time_seconds', '', '1+1x70'],
  ['skillpass_skills', '', '1000x70'],
  ['skillpass_skills', 'node="another"', '900x70'],
  ['nodejs_eventloop_lag_p99_seconds', '', '0.3x70'],
  ['process_resident_memory_bytes', '', '100+10x70'],
  ['process_open_fds', '', '900x70'],
  ['process_max_fds', '', '1000x70'],
  ['skillpass_snapshots_total', 'outcome="failed"', '0x30 1x40'],
  ['skillpass_webhook_attempts_total', 'outcome="failed"', '0+10x70'],
  ['skillpass_webhook_attempts_total', 'outcome="delivered"', '0+1x70'],
] as const

test.skipIf(!hasProgram('promtool', '--version'))(
  'every alert fires in an hour with every fault, and none in an hour without faults',
  async () => {
    const series = (isHealthy: boolean) =>
      faultyHour.map(([name, labels, values]) => ({
        series: `${name}{job="skillpass"${labels && `,${labels}`}}`,
        values: isHealthy ? (name === 'up' ? '1x70' : '0x70') : values,
      }))
    const firing = (names: readonly string[]) => ({
      eval_time: '64m',
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      exp_samples: names.map((name) => ({ labels: `{alertname="${name}"}`, value: 1 })),
    })
    const all = alerts.map(({ alert }) => alert)
    const file = join(await temporaryFolder(), 'rules.json')
    const rules = {
      rule_files: [join(root, 'server/deploy/alerts.yaml')],
      evaluation_interval: '1m',
      tests: [
        { interval: '1m', input_series: series(false), promql_expr_test: [firing(all)] },
        { interval: '1m', input_series: series(true), promql_expr_test: [firing([])] },
      ],
    }
    await writeFile(file, JSON.stringify(rules))
    execFileSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  },
)
