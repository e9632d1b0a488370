import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import openapiTypes, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { compile, typescript5, typescript7 } from '../support/compiler.ts'
import { root } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'

const sample = `
import createClient from 'openapi-fetch'
import type { paths } from './skillpass.ts'

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
const token = await client.POST('/oauth/token', {
  body: { grant_type: 'refresh_token', refresh_token: 'unknown', client_id: 'unknown' },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
console.log(slug, found, token.error?.error)

// @ts-expect-error a slug is needed
const worse = () => client.POST('/api/v1/skills', { body: { name: 'PDF' } })
`

test('a typed client generated from the OpenAPI document compiles and works against the server', async () => {
  const server = await startTestServer()
  const project = await temporaryFolder()
  const types = await openapiTypes(pathToFileURL(join(root, 'openapi/openapi.json')))
  await writeFile(join(project, 'skillpass.ts'), astToString(types))
  await writeFile(join(project, 'sample.ts'), sample)
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
  const options = ['--skipLibCheck', '--rewriteRelativeImportExtensions']
  for (const compiler of [typescript5, typescript7]) {
    expect(await compile(project, compiler, 'nodenext', ['sample.ts'], ...options)).toBe('')
  }
  const { apiKey } = await server.agent()
  const args = ['sample.js', server.url, apiKey]
  const { stdout } = await promisify(execFile)('node', args, { cwd: project })
  expect(stdout).toBe('pdf-form-filler pdf-form-filler invalid_client\n')
})
