import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { reportFigure } from '../support/rounds.ts'
import { fetchCommand, type StockCommand, startProject } from '../support/stock-command.ts'
import { words } from '../support/words.ts'
import { startService } from './oauth-service.ts'
import { startServerWithSkills } from './published-skills.ts'

const name = '@modelcontextprotocol/conformance'
const version = '0.2.0-alpha.12'

/** Scenarios, and checks of other scenarios, that do not apply to the registry, by the reason. */
const reasons: Readonly<Record<string, string>> = {
  'The registry has no sessions: any node responds to any message.':
    'server-session-lifecycle server-sse-polling',
  'The registry has no subscriptions: a stream would bind a client to a node.':
    'resources-subscribe resources-unsubscribe',
  'The registry sends no log messages.': 'logging-set-level',
  'The registry completes no arguments.': 'completion-complete',
  'It calls a tool that only the test server of the suite has.': `
    server-stateless/sep-2575-server-rejects-undeclared-capability
    server-stateless/sep-2575-missing-capability-http-400
    server-stateless/sep-2575-http-server-no-independent-requests-on-stream
    server-stateless/sep-2575-server-no-log-without-loglevel tools-call-simple-text
    tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content
    tools-call-with-logging tools-call-error tools-call-with-progress tools-call-sampling
    tools-call-elicitation json-schema-2020-12 elicitation-sep1034-defaults
    elicitation-sep1330-enums input-required-result-basic-elicitation
    input-required-result-basic-sampling input-required-result-basic-list-roots
    input-required-result-request-state input-required-result-multiple-input-requests
    input-required-result-multi-round input-required-result-missing-input-response
    input-required-result-result-type input-required-result-tampered-state
    input-required-result-capability-check input-required-result-ignore-extra-params`,
  'No tool of the registry takes an argument from a header.':
    'http-custom-header-server-validation',
  'The registry has no prompts.': `
    input-required-result-non-tool-request caching/sep-2549-prompts-list-caching-hints
    prompts-list prompts-get-simple prompts-get-with-args prompts-get-embedded-resource
    prompts-get-with-image`,
  'It reads a resource that only the test server of the suite has.': `
    resources-read-text resources-read-binary resources-templates-read`,
  'Manifests list every file, so the optional folder lists are not served.':
    'sep-2640-skills-directory',
  'The registry does not declare the tasks extension: each call responds at once.': `
    tasks-lifecycle tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal
    tasks-mrtr-input tasks-request-headers tasks-dispatch-and-envelope
    tasks-status-notifications tasks-required-task-error tasks-mrtr-composition`,
}
const notApplicable = Object.values(reasons).flatMap(words)

const suite = await fetchCommand({ name, version, script: 'dist/index.js' }, '24.21.0')

if ('missing' in suite) test.skip(`${name} is not run: ${suite.missing}`, () => {})
else {
  describe('the conformance suite of MCP', async () => {
    const { server, author } = await startServerWithSkills()

    test.each(['/mcp', `/${author.username}/mcp`])(
      'every server scenario passes at %s, except those listed as not applicable',
      async (path) => {
        const checks = new Map<string, Check[]>()
        // The last run has the scenarios of extensions.
        for (const era of ['2025-11-25', '2026-07-28', undefined]) {
          await addChecks(checks, suite, [
            ...['server', '--suite', 'all', '--url', `${server.url}${path}`],
            ...(era === undefined ? [] : ['--spec-version', era]),
          ])
        }
        const isScenario = (key: string) => !key.includes('/')
        expect([...checks.keys()].filter(isScenario).sort()).toEqual(await knownScenarios(suite))
        const failed = [...checks.keys()].filter((key) => !passes(checks.get(key) ?? []))
        expect(failed.sort()).toEqual(notApplicable.toSorted())
        const passed = [...checks.keys()].filter((key) => isScenario(key) && !failed.includes(key))
        reportFigure(
          `MCP conformance ${version} at ${path.replace(author.username, '{owner}')}: ${passed.length} scenarios pass, ${failed.filter(isScenario).length} do not apply`,
        )
      },
    )

    // The suite never sends a secret to a service that allows clients without one.
    test('every scenario of an authorization server passes for a client without a secret', async () => {
      const service = await startService()
      const { node, script } = suite
      const { stdout } = spawn(node, [
        ...[script, 'authorization', '--url', service.url],
        ...['--client-id', service.app('Pocket').clientId, '--port', new URL(callback).port],
        ...['--resource', `${service.url}/v2/mcp`],
      ])
      let output = ''
      for await (const line of createInterface(stdout)) {
        output += `${line}\n`
        // The user opens the address in a browser, which follows the redirection to the suite.
        if (line.startsWith(service.url)) await fetch(await service.allow(line))
      }
      expect(output).toContain('authorization-code-grant: 1 passed, 0 failed')
      expect(output).toMatch(/Total: \d+ passed, 0 failed/)
    })
  })
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
}

/** A scenario whose checks are all skipped shows nothing, as does one with valid errors only. */
const passes = (checks: readonly Check[]): boolean =>
  checks.some(({ id, status }) => status === 'SUCCESS' && id !== 'wire-schema-valid') &&
  checks.every(({ status }) => status !== 'FAILURE')

/**
 * Runs the suite, and adds the checks by scenario, or by `scenario/check` for those in the table.
 */
async function addChecks(
  checks: Map<string, Check[]>,
  suite: StockCommand,
  args: readonly string[],
): Promise<void> {
  const { run, folder } = await startProject(suite)
  await run([...args, '--output-dir', 'results'])
  for (const result of await readdir(join(folder, 'results'))) {
    const scenario = result.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '')
    const file = join(folder, 'results', result, 'checks.json')
    checks.set(scenario, checks.get(scenario) ?? [])
    for (const check of JSON.parse(await readFile(file, 'utf8')) as Check[]) {
      const own = `${scenario}/${check.id}`
      const key = notApplicable.includes(own) ? own : scenario
      checks.set(key, [...(checks.get(key) ?? []), check])
    }
  }
}

async function knownScenarios(suite: StockCommand): Promise<string[]> {
  const { run } = await startProject(suite)
  const { output } = await run(['list', '--server'])
  return [...output.matchAll(/^ {2}- (\S+)/gm)].map(([, scenario = '']) => scenario).sort()
}
