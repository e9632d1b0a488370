import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { credentialsOf, declare, testAccounts } from '../support/apps.ts'
import { hasChromium, openPage } from '../support/browser.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import { serveHttp } from '../support/http-server.ts'
import { root } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'
import { declaredUser } from './oauth-user.ts'

const run = promisify(execFile)
const server = await startTestServer()
const project = await temporaryFolder()
const packed = join(project, 'node_modules/@skillpass/client')

beforeAll(() => unpackClient())

/** Creates a project with the packed client and the types of Node.js, without npm. */
async function unpackClient(): Promise<void> {
  const manifest = '{"name":"stranger","private":true,"type":"module"}'
  await writeFile(join(project, 'package.json'), manifest)
  const args = ['pack', join(root, 'client-sdk'), '--ignore-scripts', '--json']
  const { stdout } = await run('npm', [...args, '--pack-destination', project], { cwd: root })
  const [{ filename }] = JSON.parse(stdout)
  await mkdir(packed, { recursive: true })
  await run('tar', ['-xzf', join(project, filename), '-C', packed, '--strip-components=1'])
  await mkdir(join(project, 'node_modules/@types'))
  await symlink(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'))
}

test('the packed client has no dependencies, three entry points, its licence, changelog and examples', async () => {
  const manifest = JSON.parse(await readFile(join(packed, 'package.json'), 'utf8'))
  const { dependencies, peerDependencies, optionalDependencies } = manifest
  expect([dependencies, peerDependencies, optionalDependencies]).toEqual(Array(3).fill(undefined))
  expect(Object.keys(manifest.exports)).toEqual(['.', './node', './package.json'])
  const files = await readdir(packed)
  expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'examples']))
})

test('the README of the packed client has absolute links, and names the tested TypeScript versions', async () => {
  const readme = await readFile(join(packed, 'README.md'), 'utf8')
  const links = Array.from(readme.matchAll(/\]\(([^)]*)\)/g), ([, to = '']) => to)
  expect(links.filter((to) => !/^(https:|#)/.test(to))).toEqual([])
  const versions = [typescript5, typescript7].map(async (compiler) => {
    const { version } = JSON.parse(await readFile(join(compiler, 'package.json'), 'utf8'))
    return version.split('.').slice(0, 2).join('.')
  })
  const tested = (await Promise.all(versions)).join(' and ')
  expect(readme).toContain(`tested with TypeScript ${tested}.`)
})

test('the packed client imports modules of Node.js only in its command and in ./node', async () => {
  const dist = join(packed, 'dist')
  const files = await readdir(dist, { recursive: true })
  const scripts = files.filter((file) => /^(?!cli\/|node\/).*\.js$/.test(file))
  expect(scripts).toContain('client.js')
  for (const script of scripts) {
    expect([script, await readFile(join(dist, script), 'utf8')]).not.toEqual([
      script,
      expect.stringMatching(/from '(node:|@)/),
    ])
  }
})

test('the packed command skillpass searches, and exits with 2 on an unknown command', async () => {
  const env = { ...process.env, SKILLPASS_URL: server.url }
  const bin = join(packed, 'bin/skillpass.js')
  const { stdout } = await run('node', [bin, 'search', '--json'], { env })
  expect(JSON.parse(stdout)).toEqual(await server.client.registry.skills.search())
  await expect(run('node', [bin, 'rename'], { env })).rejects.toMatchObject({ code: 2 })
})

/** Names that the snippets use without declaring them. */
const declarations = `import type * as skillpass from '@skillpass/client'

declare global {
  const clientId: string, clientSecret: string, accountId: string, secretToken: string
  const baseUrl: string, authUrl: string, apiUrl: string
  const createClient: typeof skillpass.createClient
  const accountToken: typeof skillpass.accountToken
  const client: skillpass.Client
  const apiKeys: skillpass.Client['registry']['apiKeys']
  const platform: skillpass.Client['platform']
  const key: Awaited<ReturnType<skillpass.Client['registry']['apiKeys']['create']>>['data']
  const headers: Headers, body: string
  const deleteUser: (id: string) => Promise<void>
  const deleteDataOf: (id: string) => Promise<void>
}
`

/**
 * Writes the TypeScript snippets of the READMEs into the project. Returns the names of the files.
 */
async function writeSnippets(): Promise<string[]> {
  const modules = new Map([['declarations.d.ts', declarations]])
  for (const readme of ['README', 'client-sdk/README']) {
    const text = await readFile(join(root, `${readme}.md`), 'utf8')
    for (const [, code] of text.matchAll(/^```ts\n(.*?)^```/gms)) {
      modules.set(`snippet-${modules.size}.ts`, `${code}\nexport {}\n`)
    }
  }
  for (const [name, code] of modules) await writeFile(join(project, name), code)
  return [...modules.keys()]
}

/** A program that uses the package. Its argument is the URL of a server. */
const sample = `
import { createClient, NotFoundError, verifyWebhook, WebhookVerificationError } from '@skillpass/client'
import type { AppDeauthorizedEvent, FetchedSkill, TokenStore } from '@skillpass/client'
import { fileTokenStore } from '@skillpass/client/node'

const client = createClient({ baseUrl: process.argv[2] ?? '', retries: 0 })
const { data } = await client.registry.skills.resolve({ query: { task: 'fill in a sampled form' } })
const confidence: number | undefined = data[0]?.confidence
const found: FetchedSkill | null = await client.registry.resolveAndFetch('sourdough bread', { timeoutMs: 60_000 })
const code: 'NOT_FOUND' | undefined = await client.registry.rawSkill
  .fetch({ params: { owner: 'a', repo: 'b', skill: 'c' } })
  .then(() => undefined, (error) => error instanceof NotFoundError ? error.code : undefined)
for await (const skill of client.registry.skills.search.all({ query: { q: 'sampled' } })) console.log(skill.slug)
const store: TokenStore = fileTokenStore('no-tokens.json')
console.log((confidence ?? 0) > 0.3, found, code, await store.load())
const webhook = await verifyWebhook({ headers: new Headers(), body: '', secretToken: 'x' })
  .catch((error) => error instanceof WebhookVerificationError ? error.reason : undefined)
console.log(webhook)
if (typeof webhook === 'object' && webhook.known && webhook.event === 'app_deauthorized') {
  const { payload }: AppDeauthorizedEvent = webhook
  console.log(payload.user_id)
}

export const upload = () =>
  client.registry.blobs.upload({ params: { sha256: 'a' }, body: new Blob(['hello']) })
// @ts-expect-error the description of a file is not the file
export const wrongUpload = () => client.registry.blobs.upload({ params: { sha256: 'a' }, body: { digest: 'a', size: 5 } })

// @ts-expect-error the types are not any
const wrong: string = data[0]?.confidence
// @ts-expect-error a task is needed
client.registry.skills.resolve({ query: {} }).catch(() => {})
`

test('a program that uses the packed client and every TypeScript snippet of the READMEs compile', async () => {
  await writeFile(join(project, 'sample.ts'), sample)
  const files = ['sample.ts', ...(await writeSnippets())]
  expect(await compile(project, typescript5, 'bundler', files)).toBe('')
  expect(await compile(project, typescript7, 'nodenext', files)).toBe('')
  const description = 'Fills in a sampled form.'
  await publish(await server.agent(), { slug: 'sampled-form', description })
  const { stdout } = await run('node', ['sample.js', server.url], { cwd: project })
  expect(stdout).toBe('sampled-form\ntrue null NOT_FOUND undefined\nmissing-headers\n')
})

/** Serves the scripts of the project, and one page at every other path. Returns its origin. */
async function serveScripts(page: () => string): Promise<string> {
  const { url } = await serveHttp(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (/\.m?js$/.test(pathname)) {
      const script = await readFile(join(project, normalize(pathname))).catch(() => undefined)
      response.writeHead(script ? 200 : 404, { 'content-type': 'text/javascript' }).end(script)
    } else {
      response.writeHead(200, { 'content-type': 'text/html' }).end(page())
    }
  })
  return url
}

/**
 * A single-page app. Its first page shows the authorization URL, and its callback exchanges the
 * code.
 */
const page = (clientId: string) => `<!doctype html>
<title>start</title>
<link rel="icon" href="data:,">
<script type="importmap">
  { "imports": {
    "@skillpass/client": "/node_modules/@skillpass/client/dist/index.js"
  } }
</script>
<script type="module">
  import { authorizationCode } from '@skillpass/client'

  const redirectUri = location.origin + '/callback'
  const flow = authorizationCode({ authUrl: '${server.url}', clientId: '${clientId}', redirectUri })
  if (location.pathname === '/callback') {
    const pending = JSON.parse(sessionStorage.pending)
    const tokens = await flow.finish(location.href, pending).catch((error) => document.title = error)
    const { scopes } = await tokens.granted()
    const first = await tokens.getToken()
    const second = await tokens.getToken(first)
    await tokens.revoke()
    const error = await tokens.getToken().catch((error) => error)
    document.title = [scopes, first !== second, error.name].join(' ')
  } else {
    const pending = await flow.start()
    sessionStorage.pending = JSON.stringify(pending)
    document.title = pending.url
  }
</script>`

test.skipIf(!hasChromium)('a page of another origin authorizes, renews and revokes', async () => {
  let clientId = ''
  const origin = await serveScripts(() => page(clientId))
  const spa = { ...testAccounts.apps[1], name: 'Page', redirectUris: [`${origin}/callback`] }
  const applied = await declare(server, { ...testAccounts, apps: [...testAccounts.apps, spa] })
  clientId = credentialsOf(applied, 'Page').clientId
  const member = declaredUser(server, applied, 'member@acme.test')

  const visit = await openPage(`${origin}/`)
  await visit.page.waitForFunction(() => document.title !== 'start')
  await visit.page.goto(await member.consent(await visit.page.title()))
  await visit.page.waitForFunction(() => document.title !== 'start')
  expect(await visit.page.title()).toBe('user:read:user true AuthorizeAgainError')
  expect(visit.complaints).toEqual([])
})

/** The TypeScript versions that the client is checked with. */
const typescript5 = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
const typescript7 = join(root, 'node_modules/typescript')

const lib = ['--lib', 'es2023,dom,dom.iterable']

/** The module resolution of a project. */
const resolutions = {
  nodenext: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
}

type Resolution = keyof typeof resolutions

/**
 * Compiles files of a project in strict mode, with `skipLibCheck` off. Returns the compiler's
 * output, which is empty on success.
 */
async function compile(
  project: string,
  compiler: string,
  resolution: Resolution,
  files: readonly string[],
  ...more: string[]
): Promise<string> {
  const options = [...resolutions[resolution], ...lib, '--target', 'es2022', '--strict']
  const args = [...options, '--types', 'node', ...more, ...files]
  const { stdout } = await run('node', [join(compiler, 'bin/tsc'), ...args], {
    cwd: project,
  }).catch((error) => error)
  return stdout
}
