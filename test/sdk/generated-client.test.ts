import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { compile, typescript7 } from '../support/compiler.ts'
import { startTestServer } from '../support/server.ts'
import { generateClient, generatedClientOptions } from './generated-client.ts'

test('a typed client generated from the OpenAPI document compiles and works against the server', async () => {
  const server = await startTestServer()
  const project = await temporaryFolder()
  await generateClient(project)
  const options = generatedClientOptions
  expect(await compile(project, typescript7, 'nodenext', ['sample.ts'], ...options)).toBe('')

  const { apiKey } = await server.agent()
  const args = ['sample.js', server.url, apiKey]
  const { stdout } = await promisify(execFile)('node', args, { cwd: project })
  expect(stdout).toBe('pdf-form-filler pdf-form-filler 409 CONFLICT invalid_client\n')
})
