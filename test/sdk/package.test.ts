import { execFile } from 'node:child_process'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { credentialsOf, declare, testAccounts } from '../support/apps.ts'
import { hasChromium, openBrowser } from '../support/browser.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import {
  compile,
  installPackedClient,
  type Resolution,
  typescript5,
  typescript7,
} from '../support/packed-client.ts'
import { startTestServer } from '../support/server.ts'
import { declaredUser } from './oauth-user.ts'
import { serveScripts } from './static-files.ts'

const run = promisify(execFile)
const server = await startTestServer()
const project = await temporaryFolder()

beforeAll(async () => {
  const { client } = await server.agent('report-writer')
  await client.registry.skills.publish({
    body: { name: 'Form filler', slug: 'form-filler', description: 'Fills in a form.' },
  })
  await installPackedClient(project)
})

const sample = `
import { createClient, NotFoundError, verifyWebhook, WebhookVerificationError } from '@skillpass/client'
import type { AppDeauthorizedEvent, FetchedSkill, TokenStore } from '@skillpass/client'
import { fileTokenStore } from '@skillpass/client/node'

const client = createClient({ baseUrl: process.argv[2] ?? '', retries: 0 })
const { data } = await client.registry.skills.resolve({ query: { task: 'fill in a form' } })
const confidence: number | undefined = data[0]?.confidence
const found: FetchedSkill | null = await client.registry.resolveAndFetch('sourdough bread', { timeoutMs: 5000 })
const code: 'NOT_FOUND' | undefined = await client.registry.rawSkill
  .fetch({ params: { owner: 'a', repo: 'b', skill: 'c' } })
  .then(() => undefined, (error) => error instanceof NotFoundError ? error.code : undefined)
for await (const skill of client.registry.skills.search.all()) console.log(skill.repo.owner)
const store: TokenStore = fileTokenStore('tokens.json')
console.log((confidence ?? 0) > 0.3, found, code, await store.load())
const webhook = await verifyWebhook({ headers: new Headers(), body: '', secretToken: 'x' })
  .catch((error) => error instanceof WebhookVerificationError ? error.reason : undefined)
console.log(webhook)
if (typeof webhook === 'object' && webhook.known && webhook.event === 'app_deauthorized') {
  const { payload }: AppDeauthorizedEvent = webhook
  console.log(payload.user_id)
}

// @ts-expect-error the types are not any
const wrong: string = data[0]?.confidence
// @ts-expect-error a task is needed
client.registry.skills.resolve({ query: {} }).catch(() => {})
declare const process: { argv: string[] }
`

describe('the packed client', () => {
  test('depends on nothing', async () => {
    const { stdout } = await run('npm', ['ls', '--all', '--parseable'], { cwd: project })
    expect(stdout.trim().split('\n')).toEqual([
      project,
      join(project, 'node_modules/@skillpass/client'),
    ])
  })

  test('holds its licence, its changes and the examples; its README links to whole addresses', async () => {
    const folder = join(project, 'node_modules/@skillpass/client')
    const files = await readdir(folder)
    expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'examples']))
    const links = (await readFile(join(folder, 'README.md'), 'utf8')).matchAll(/\]\(([^)]*)\)/g)
    expect(Array.from(links, ([, to = '']) => to).filter((to) => !/^(https:|#)/.test(to))).toEqual(
      [],
    )
    const { repository, homepage, bugs, exports } = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    )
    expect([repository.url, homepage, bugs]).not.toContain(undefined)
    expect(Object.keys(exports)).toEqual(['.', './node', './package.json'])
  })

  test.each<[string, Resolution, string]>([
    ['TypeScript 7', 'nodenext', typescript7],
    ['TypeScript 7', 'bundler', typescript7],
    ['TypeScript 5', 'nodenext', typescript5],
  ])(
    'type-checks and runs: %s, %s',
    async (_, resolution, compiler) => {
      await writeFile(join(project, 'sample.ts'), sample)
      const dom = ['--lib', 'es2023,dom,dom.iterable']
      expect(await compile(project, compiler, resolution, ['sample.ts'], ...dom)).toBe('')
      const { stdout } = await run('node', ['sample.js', server.url], { cwd: project })
      expect(stdout).toBe('report-writer-1\ntrue null NOT_FOUND undefined\nmissing-headers\n')
    },
    120_000,
  )

  test('brings the command skillpass', async () => {
    const env = { ...process.env, SKILLPASS_URL: server.url }
    const bin = join(project, 'node_modules/.bin/skillpass')
    const { stdout } = await run(bin, ['search', '--json'], { cwd: project, env })
    expect(JSON.parse(stdout)).toEqual(await server.client.registry.skills.search())
    await expect(run(bin, ['rename'], { env })).rejects.toMatchObject({ code: 2 })
  })

  test('names modules of Node in its command and in ./node alone, so that browsers can load it', async () => {
    const dist = join(project, 'node_modules/@skillpass/client/dist')
    const { stdout } = await run('grep', ['-rlE', "from '(node:|@)", '--include=*.js', dist]).catch(
      (error) => error,
    )
    const files = String(stdout).split('\n').filter(Boolean)
    const own = [join(dist, 'cli/'), join(dist, 'node/')]
    expect(files.filter((file) => !own.some((folder) => file.startsWith(folder)))).toEqual([])
  })
})

/** An app of one page: the first time it asks, then it comes back with the code. */
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

describe.skipIf(!hasChromium)('the packed client in a browser', () => {
  test("authorizes a public client, refreshes and revokes, from another origin's page", async () => {
    let clientId = ''
    const origin = await serveScripts(project, () => page(clientId))
    const spa = { ...testAccounts.apps[1], name: 'Page', redirectUris: [`${origin}/callback`] }
    const applied = await declare(server, { ...testAccounts, apps: [...testAccounts.apps, spa] })
    clientId = credentialsOf(applied, 'Page').clientId
    const member = declaredUser(server, applied, 'member@testAccounts.test')

    const visit = await (await openBrowser())(`${origin}/`)
    await visit.page.waitForFunction(() => document.title !== 'start')
    await visit.page.goto(await member.consent(await visit.page.title()))
    await visit.page.waitForFunction(() => document.title !== 'start')
    expect(await visit.page.title()).toBe('user:read:user true AuthorizeAgainError')
    expect(visit.complaints).toEqual([])
  })
})
