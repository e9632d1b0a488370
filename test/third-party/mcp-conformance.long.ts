import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { reportFigure } from '../support/rounds.ts'
import { startService } from './oauth-service.ts'
import { startServerWithSkills } from './published-skills.ts'
import { fetchCommand, type StockCommand, startProject } from './stock-command.ts'

const name = '@modelcontextprotocol/conformance'
const version = '0.2.0-alpha.12'

const needsTool = 'It calls a tool that only the test server of the suite has.'
const needsPrompt = 'The registry has no prompts.'
const needsResource = 'It reads a resource that only the test server of the suite has.'
const needsTasks = 'The registry does not declare the tasks extension: each call responds at once.'
const needsSession = 'The registry has no sessions: any node responds to any message.'
const needsSubscription =
  'The registry has no subscriptions: a stream would bind a client to a node.'

/** Scenarios, and checks of other scenarios, that do not apply to the registry, with the reason. */
const notApplicable: Readonly<Record<string, string>> = {
  'server-session-lifecycle': needsSession,
  'server-sse-polling': needsSession,
  'resources-subscribe': needsSubscription,
  'resources-unsubscribe': needsSubscription,
  'logging-set-level': 'The registry sends no log messages.',
  'completion-complete': 'The registry completes no arguments.',
  'server-stateless/sep-2575-server-rejects-undeclared-capability': needsTool,
  'server-stateless/sep-2575-missing-capability-http-400': needsTool,
  'server-stateless/sep-2575-http-server-no-independent-requests-on-stream': needsTool,
  'server-stateless/sep-2575-server-no-log-without-loglevel': needsTool,
  'tools-call-simple-text': needsTool,
  'tools-call-image': needsTool,
  'tools-call-audio': needsTool,
  'tools-call-embedded-resource': needsTool,
  'tools-call-mixed-content': needsTool,
  'tools-call-with-logging': needsTool,
  'tools-call-error': needsTool,
  'tools-call-with-progress': needsTool,
  'tools-call-sampling': needsTool,
  'tools-call-elicitation': needsTool,
  'json-schema-2020-12': needsTool,
  'elicitation-sep1034-defaults': needsTool,
  'elicitation-sep1330-enums': needsTool,
  'http-custom-header-server-validation':
    'No tool of the registry takes an argument from a header.',
  'input-required-result-basic-elicitation': needsTool,
  'input-required-result-basic-sampling': needsTool,
  'input-required-result-basic-list-roots': needsTool,
  'input-required-result-request-state': needsTool,
  'input-required-result-multiple-input-requests': needsTool,
  'input-required-result-multi-round': needsTool,
  'input-required-result-missing-input-response': needsTool,
  'input-required-result-non-tool-request': needsPrompt,
  'input-required-result-result-type': needsTool,
  'input-required-result-tampered-state': needsTool,
  'input-required-result-capability-check': needsTool,
  'input-required-result-ignore-extra-params': needsTool,
  'resources-read-text': needsResource,
  'resources-read-binary': needsResource,
  'resources-templates-read': needsResource,
  'caching/sep-2549-prompts-list-caching-hints': needsPrompt,
  'prompts-list': needsPrompt,
  'prompts-get-simple': needsPrompt,
  'prompts-get-with-args': needsPrompt,
  'prompts-get-embedded-resource': needsPrompt,
  'prompts-get-with-image': needsPrompt,
  'sep-2640-skills-directory':
    'Manifests list every file, so the optional folder lists are not served.',
  'tasks-lifecycle': needsTasks,
  'tasks-capability-negotiation': needsTasks,
  'tasks-wire-fields': needsTasks,
  'tasks-request-state-removal': needsTasks,
  'tasks-mrtr-input': needsTasks,
  'tasks-request-headers': needsTasks,
  'tasks-dispatch-and-envelope': needsTasks,
  'tasks-status-notifications': needsTasks,
  'tasks-required-task-error': needsTasks,
  'tasks-mrtr-composition': needsTasks,
}

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
        expect(failed.sort()).toEqual(Object.keys(notApplicable).sort())
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
        ...[script, 'authorization', '--url', service.authUrl],
        ...['--client-id', service.app('Pocket').clientId, '--port', new URL(callback).port],
        ...['--resource', `${service.authUrl}/v2/mcp`],
      ])
      let output = ''
      for await (const line of createInterface(stdout)) {
        output += `${line}\n`
        // The user opens the address in a browser, which follows the redirection to the suite.
        if (line.startsWith(service.authUrl)) await fetch(await service.allow(line))
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

/** Runs the suite, and adds the checks by scenario, or by `scenario/check` for those in the table. */
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
      const key = own in notApplicable ? own : scenario
      checks.set(key, [...(checks.get(key) ?? []), check])
    }
  }
}

async function knownScenarios(suite: StockCommand): Promise<string[]> {
  const { run } = await startProject(suite)
  const { output } = await run(['list', '--server'])
  return [...output.matchAll(/^ {2}- (\S+)/gm)].map(([, scenario = '']) => scenario).sort()
}
