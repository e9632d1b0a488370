import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountOf, credentialsOf, declare } from '../support/apps.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { compile, type Resolution, typescript5, typescript7 } from '../support/compiler.ts'
import { root } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { clientSample, clientSampleOutput, publishSampleSkill } from './client-sample.ts'
import { generateClient, generatedClientOptions } from './generated-client.ts'
import { installPackedClient } from './packed-client.ts'
import { writeSnippets } from './readme-snippets.ts'

const run = promisify(execFile)
const server = await startTestServer()
const project = await temporaryFolder()

beforeAll(async () => {
  await installPackedClient(project)
  await publishSampleSkill(server)
})

const compilers: [string, Resolution, string][] = [
  ['TypeScript 5', 'bundler', typescript5],
  ['TypeScript 5', 'nodenext', typescript5],
  ['TypeScript 7', 'bundler', typescript7],
  ['TypeScript 7', 'nodenext', typescript7],
]

describe('the packed client, installed by npm', () => {
  test('npm installs the packed client without any other package', async () => {
    const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: project })
    const modules = ['@skillpass/client', '@types/node', 'undici-types']
    expect(stdout.trim().split('\n').sort()).toEqual([
      project,
      ...modules.map((name) => join(project, 'node_modules', name)),
    ])
  })

  test('npm installs the command skillpass', async () => {
    const env = { ...process.env, SKILLPASS_URL: server.url }
    const bin = join(project, 'node_modules/.bin/skillpass')
    const { stdout } = await run(bin, ['search', '--json'], { cwd: project, env })
    expect(JSON.parse(stdout)).toEqual(await server.client.registry.skills.search())
  })

  test.each(compilers)(
    'with %s and the resolution %s, a program and the snippets of the READMEs compile, and the program runs',
    async (_, resolution, compiler) => {
      await writeFile(join(project, 'sample.ts'), clientSample)
      const snippets = await writeSnippets(project, server.url)
      const files = ['sample.ts', ...snippets.map(({ file }) => file)]
      expect(await compile(project, compiler, resolution, files)).toBe('')
      const { stdout } = await run('node', ['sample.js', server.url], { cwd: project })
      expect(stdout).toBe(clientSampleOutput)
    },
  )

  test('an example of the packed client runs with tsx', async () => {
    const applied = await declare(server)
    const { clientId, clientSecret } = credentialsOf(applied, 'Reporter')
    const env = {
      PATH: process.env.PATH,
      SKILLPASS_URL: server.url,
      SKILLPASS_CLIENT_ID: clientId,
      SKILLPASS_CLIENT_SECRET: clientSecret,
      SKILLPASS_ACCOUNT_ID: accountOf(applied, 'Acme').id,
    }
    const tsx = join(root, 'node_modules/.bin/tsx')
    const example = 'node_modules/@skillpass/client/examples/account-token.ts'
    const { stdout } = await run(tsx, [example], { cwd: project, env })
    expect(stdout).toBe('owner Tester owns the app.\n')
  })
})

test('a typed client generated from the OpenAPI document compiles with TypeScript 5', async () => {
  const folder = await temporaryFolder()
  await generateClient(folder)
  const options = generatedClientOptions
  expect(await compile(folder, typescript5, 'nodenext', ['sample.ts'], ...options)).toBe('')
})
