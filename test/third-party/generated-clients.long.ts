import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { sha256 } from '../support/bundles.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { compile, typescript5 } from '../support/compiler.ts'
import { printed } from './generated-programs.ts'
import { generators, installGenerators, javaCommand } from './generators.ts'
import { startService } from './oauth-service.ts'

const service = await startService()
const agent = await service.agent()
const document = await (await service.http('/openapi.json')).text()
const project = await installGenerators(await temporaryFolder(), document)

if ('missing' in project) {
  test.skip(`the generators are not run: ${project.missing}`, () => {})
} else {
  const { folder, run } = project

  test.each(generators.map((generator) => [generator.name, generator] as const))(
    'a client that %s makes compiles without casts and uses tokens and files',
    async (name, { commands, program, options = [] }) => {
      for (const command of commands) await run(command)
      const source = `${name}-program.ts`
      await writeFile(join(folder, source), program)
      const all = ['--noEmit', '--skipLibCheck', ...options]
      expect(await compile(folder, typescript5, 'bundler', [source], ...all)).toBe('')
      const script = join(folder, `${name}.mjs`)
      await build({
        entryPoints: [join(folder, source)],
        outfile: script,
        bundle: true,
        platform: 'node',
        format: 'esm',
        packages: 'external',
      })
      const { clientId, clientSecret } = service.app('Scheduler')
      const authorization = await service.allow(
        `${service.authUrl}/oauth/authorize?response_type=code&client_id=${clientId}&redirect_uri=${callback}`,
      )
      const code = authorization.searchParams.get('code') ?? ''
      const made = [clientId, clientSecret, code, callback, agent.apiKey, sha256('hello')]
      const { stdout } = await promisify(execFile)('node', [script, service.url, ...made])
      expect(stdout).toBe(printed)
    },
  )

  test('openapi-generator reads numbers of meetings and times of events into 64 bits in Java', async () => {
    await run(javaCommand)
    const fieldsOf = (name: string) =>
      readFile(
        join(folder, `java/src/main/java/org/openapitools/client/model/${name}.java`),
        'utf8',
      )
    expect(await fieldsOf('Meeting')).toContain('private Long id;')
    expect(await fieldsOf('User')).toContain('private Long pmi;')
    expect(await fieldsOf('AppDeauthorizedEvent')).toContain('private Long eventTs;')
  })
}
