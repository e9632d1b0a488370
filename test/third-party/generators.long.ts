import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildOpenApi } from '@skillpass/openapi'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { InstallationFailed, installPackages } from '../support/installed-node.ts'
import { basic, startOAuthServer } from '../support/oauth-server.ts'

const run = promisify(execFile)
const server = await startOAuthServer()
const form = { grant_type: 'account_credentials', account_id: server.accountId('Acme') }
const headers = { Authorization: basic(server.app('Reporter')) }

/** Makes the token call of a client. Orval's client has relative addresses. */
const callOrval = `
  const send = globalThis.fetch
  globalThis.fetch = (url, init) => send(new URL(url, baseUrl), init)
  const { data } = await client.oauthToken(form, { headers })`
const orval = `
  const { generate } = await import('orval')
  await generate({ input: { target: 'openapi.json' }, output: { target: 'client.ts', client: 'fetch', mode: 'single' } })`

/** Packages of each generator, the script that generates client.ts, and a token call. */
const generators: Record<string, [packages: string[], script: string, call: string]> = {
  'orval 7': [['orval@7.21.0'], orval, callOrval],
  'orval 8': [['orval@8.38.0'], orval, callOrval],
  'swagger-typescript-api': [
    ['swagger-typescript-api@13.13.0'],
    `const { generateApi } = await import('swagger-typescript-api')
     await generateApi({ input: process.cwd() + '/openapi.json', output: process.cwd(), fileName: 'client.ts', silent: true })`,
    `const { data } = await new client.Api({ baseUrl }).oauth.oauthToken(form, { headers })`,
  ],
  'openapi-typescript with openapi-fetch': [
    ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    `const { writeFile, readFile } = await import('node:fs/promises')
     const { default: generate, astToString } = await import('openapi-typescript')
     const types = astToString(await generate(JSON.parse(await readFile('openapi.json', 'utf8'))))
     await writeFile('client.ts', types + "export { default } from 'openapi-fetch'")`,
    `const bodySerializer = (body) => new URLSearchParams(body)
     const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
     const { data } = await client.default({ baseUrl }).POST('/oauth/token', { body: form, headers: { ...headers, ...type }, bodySerializer })`,
  ],
  '@hey-api/openapi-ts': [
    ['@hey-api/openapi-ts@0.92.2', 'typescript@5.9.3'],
    `const { createClient } = await import('@hey-api/openapi-ts')
     await createClient({ input: 'openapi.json', output: 'hey' })
     const { writeFile } = await import('node:fs/promises')
     await writeFile('client.ts', "export * from './hey/index.ts'")`,
    `const { data } = await client.oauthToken({ baseUrl, body: form, headers })`,
  ],
}

test.each(Object.entries(generators))(
  'a client that %s generates from the document gets a token',
  async (_, [packages, script, call]) => {
    const folder = await temporaryFolder()
    try {
      await installPackages(packages, folder)
    } catch (error) {
      if (!(error instanceof InstallationFailed)) throw error
      return console.log(`Not run: ${error.message}`)
    }
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(buildOpenApi(server.url)))
    await writeFile(join(folder, 'generate.mjs'), script)
    await run('node', ['generate.mjs'], { cwd: folder })
    const program = `import * as client from './client.ts'
      const [baseUrl, form, headers] = JSON.parse(process.argv[2])
      ${call}
      console.log(data.access_token)`
    await writeFile(join(folder, 'main.ts'), program)
    await build({
      ...{ entryPoints: [join(folder, 'main.ts')], outfile: join(folder, 'main.mjs') },
      ...{ bundle: true, format: 'esm', platform: 'node', logLevel: 'error' },
    })
    const argument = JSON.stringify([server.url, form, headers])
    const { stdout } = await run('node', ['main.mjs', argument], { cwd: folder })
    expect(stdout).toMatch(/^sat_/)
  },
)
