import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTypes, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { startTestServer } from '../support/server.ts'

const run = promisify(execFile)
const server = await startTestServer()

const sample = `
import createClient from 'openapi-fetch'
import type { paths } from './skillpass.ts'

declare const process: { argv: string[] }
const [, , baseUrl = '', key = ''] = process.argv
const client = createClient<paths>({ baseUrl })
const published = await client.POST('/api/v1/skills', {
  body: { name: 'PDF form filler', slug: 'pdf-form-filler', description: 'Fills PDF forms.' },
  headers: { authorization: \`Bearer \${key}\` },
})
const slug: string | undefined = published.data?.data.slug
const { data, error } = await client.GET('/api/v1/skills/resolve', {
  params: { query: { task: 'fill in a PDF form' } },
})
if (error) {
  const code: 'VALIDATION_ERROR' | 'RATE_LIMITED' | 'INTERNAL' | 'UNAVAILABLE' = error.error.code
  throw new Error(code)
}
const found: string | undefined = data.data[0]?.skill.slug
const again = await client.POST('/api/v1/skills', {
  body: { name: 'PDF form filler', slug: 'pdf-form-filler' },
  headers: { authorization: \`Bearer \${key}\` },
})
console.log(slug, found, again.response.status, again.error?.error.code)

// @ts-expect-error a task is needed
const wrong = () => client.GET('/api/v1/skills/resolve', { params: { query: {} } })
// @ts-expect-error a slug is needed
const worse = () => client.POST('/api/v1/skills', { body: { name: 'PDF' } })
`

test('gives third parties a typed client that compiles and works against the server', async () => {
  const folder = await temporaryFolder()
  const root = new URL('../../', import.meta.url)
  const types = await openapiTypes(new URL('openapi/openapi.json', root))
  await writeFile(join(folder, 'skillpass.ts'), astToString(types))
  await writeFile(join(folder, 'sample.ts'), sample)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await symlink(fileURLToPath(new URL('node_modules', root)), join(folder, 'node_modules'))

  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
  const options = ['--module', 'nodenext', '--target', 'es2022', '--strict', '--skipLibCheck']
  const more = ['--rewriteRelativeImportExtensions', '--lib', 'es2023,dom,dom.iterable']
  const args = [join(typescript, 'bin/tsc'), ...options, ...more, '--types', 'node', 'sample.ts']
  const compiled = await run('node', args, { cwd: folder }).catch((error) => error)
  expect(compiled.stdout).toBe('')

  const { apiKey } = await server.agent()
  const { stdout } = await run('node', ['sample.js', server.url, apiKey], { cwd: folder })
  expect(stdout).toBe('pdf-form-filler pdf-form-filler 409 CONFLICT\n')
})
