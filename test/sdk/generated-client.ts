import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTypes, { astToString } from 'openapi-typescript'
import { root } from '../support/processes.ts'

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
const again = await client.POST('/api/v1/skills', {
  body: { name: 'PDF form filler', slug: 'pdf-form-filler' },
  headers: { authorization: \`Bearer \${key}\` },
})
const token = await client.POST('/oauth/token', {
  body: { grant_type: 'refresh_token', refresh_token: 'unknown', client_id: 'unknown' },
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
console.log(slug, found, again.response.status, again.error?.error.code, token.error?.error)

// @ts-expect-error a task is needed
const wrong = () => client.GET('/api/v1/skills/resolve', { params: { query: {} } })
// @ts-expect-error a slug is needed
const worse = () => client.POST('/api/v1/skills', { body: { name: 'PDF' } })
`

/** Makes a folder a project with a client that openapi-typescript generates, and a program that uses it. */
export async function generateClient(project: string): Promise<void> {
  const types = await openapiTypes(pathToFileURL(join(root, 'openapi/openapi.json')))
  await writeFile(join(project, 'skillpass.ts'), astToString(types))
  await writeFile(join(project, 'sample.ts'), sample)
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'))
}

/** The options of the compiler that such a project needs. */
export const generatedClientOptions = ['--skipLibCheck', '--rewriteRelativeImportExtensions']
