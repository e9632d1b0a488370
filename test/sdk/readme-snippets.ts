import { execFile } from 'node:child_process'
import { createHash, createHmac, createPrivateKey } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signedStatement, webhookHeaders } from '@skillpass/contract'
import { accountOf, credentialsOf, declare, serverApp, testAccounts } from '../support/apps.ts'
import { root } from '../support/processes.ts'
import type { TestServer } from '../support/server.ts'
import { keyRegistration, signText } from '../support/signing.ts'

/** A snippet of a README as a module, with declarations of the names that the text around it explains. */
export interface Snippet {
  /** `README 1`, `client-sdk/README 3`. */
  readonly name: string
  readonly file: string
  readonly code: string
}

/** The declarations that snippets may need, by name; each may use the ones above it. */
const given = {
  clientId: `const clientId = process.env.CLIENT_ID ?? ''`,
  clientSecret: `const clientSecret = process.env.CLIENT_SECRET ?? ''`,
  accountId: `const accountId = process.env.ACCOUNT_ID ?? ''`,
  baseUrl: `const baseUrl = 'http://localhost:3000'`,
  authUrl: `const authUrl = 'http://localhost:3000'`,
  apiUrl: `const apiUrl = 'http://localhost:3000'`,
  client: `const client = createClient({ baseUrl: 'http://localhost:3000', apiKey: process.env.SKILLPASS_API_KEY })`,
  apiKeys: `const { apiKeys } = client.registry`,
  platform: `const { platform } = createClient({
  baseUrl: 'http://localhost:3000',
  accessToken: accountToken({
    authUrl: 'http://localhost:3000',
    clientId: process.env.CLIENT_ID ?? '',
    clientSecret: process.env.CLIENT_SECRET ?? '',
    accountId: process.env.ACCOUNT_ID ?? '',
  }),
})`,
  key: `const { data: key } = await client.registry.apiKeys.create({ body: { name: 'old' } })`,
  secretToken: `const secretToken = process.env.SECRET_TOKEN ?? ''`,
  headers: `const headers = new Headers(JSON.parse(process.env.WEBHOOK_HEADERS ?? '{}'))`,
  body: `const body = process.env.WEBHOOK_BODY ?? ''`,
  deleteUser: `const deleteUser = async (id: string) => console.log('deleted', id)`,
  deleteDataOf: `const deleteDataOf = async (id: string) => console.log('deleted', id)`,
}

/** The calls of functions that a snippet only declares. */
const called = {
  receive: `const request = new Request('http://app.test/events', {
  method: 'POST',
  headers: JSON.parse(process.env.WEBHOOK_HEADERS ?? '{}'),
  body: process.env.WEBHOOK_BODY ?? '',
})
console.log((await receive(request)).status)`,
}

/** The TypeScript of the root's README and the client's. */
async function readmeSnippets(): Promise<Snippet[]> {
  const snippets = ['README', 'client-sdk/README'].map(async (readme) => {
    const text = await readFile(join(root, `${readme}.md`), 'utf8')
    return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ''], i) => {
      const name = `${readme} ${i + 1}`
      return { name, file: `${name.replaceAll(/\W+/g, '-')}.ts`, code: moduleOf(code) }
    })
  })
  return (await Promise.all(snippets)).flat()
}

function moduleOf(snippet: string): string {
  let code = snippet
  for (const [name, lines] of Object.entries(given).reverse()) {
    if (needs(code, name)) code = `${lines}\n${code}`
  }
  for (const [name, lines] of Object.entries(called)) {
    if (declares(snippet, name)) code += `${lines}\n`
  }
  const imports = ['accountToken', 'createClient'].filter(
    (name) => code.includes(`${name}(`) && !new RegExp(`import [^;]*?\\b${name}\\b`).test(snippet),
  )
  const line = `import { ${imports.join(', ')} } from '@skillpass/client'\n`
  return `${imports.length > 0 ? line : ''}${code}\nexport {}\n`
}

/** Whether code uses a name that it does not declare. */
function needs(code: string, name: string): boolean {
  const words = code.replace(/(^|\s)\/\/.*$/gm, '')
  return new RegExp(`(?<![.\\w'/@])${name}\\b(?!:)`).test(words) && !declares(words, name)
}

const declares = (code: string, name: string) =>
  new RegExp(`\\b(const|function) (${name}\\b|\\{[^}]*\\b${name}\\b[^}]*\\})`).test(code)

/** Writes the snippets into a project, for a server in place of `http://localhost:3000`. */
export async function writeSnippets(project: string, url: string): Promise<Snippet[]> {
  const snippets = await readmeSnippets()
  for (const { file, code } of snippets) {
    await writeFile(join(project, file), code.replaceAll('http://localhost:3000', url))
  }
  return snippets
}

/**
 * Runs compiled snippets one after the other, in one process for the sake of speed, and returns what
 * each of them printed, by name. Throws if one fails or writes to the standard error.
 */
export async function runSnippets(
  project: string,
  server: TestServer,
  snippets: readonly Snippet[],
): Promise<Map<string, string>> {
  const names = snippets.map(({ file }) => file.replace(/ts$/, 'js'))
  const runner = names.map((name) => `console.log('\\0')\nawait import('./${name}')`).join('\n')
  await writeFile(join(project, 'run-snippets.js'), runner)
  await writeFile(join(project, 'tokens.json'), JSON.stringify(keptTokens(server.url)))
  await mkdir(join(project, 'invoice-reader'))
  await writeFile(join(project, 'invoice-reader/SKILL.md'), invoiceReader)
  const SKILLPASS_API_KEY = await publishSignedSkill(server)
  const env = {
    PATH: process.env.PATH,
    SKILLPASS_CACHE: join(project, 'cache'),
    SKILLPASS_API_KEY,
    ...(await planner(server)),
    ...webhook(),
  }
  const options = { cwd: project, env }
  const { stdout, stderr } = await promisify(execFile)('node', ['run-snippets.js'], options)
  if (stderr !== '') throw new Error(stderr)
  const printed = stdout.split('\0\n').slice(1)
  return new Map(snippets.map(({ name }, i) => [name, printed[i] ?? '']))
}

/** The skill of the folder that the READMEs publish. */
const invoiceReader = '---\nname: invoice-reader\ndescription: Reads invoices.\n---\n# Invoices\n'

/** The tokens that a device has kept. */
const keptTokens = (apiUrl: string) => ({
  accessToken: 'sat_kept',
  refreshToken: 'srt_kept',
  scope: 'user:read:user',
  apiUrl,
  issuedAt: Date.now(),
  expiresAt: Date.now() + 3_600_000,
})

/** The key of RFC 8032 §7.1, test 1, whose public half the README shows. */
const signingKey = createPrivateKey({
  key: Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
  ]),
  format: 'der',
  type: 'pkcs8',
})

/** Publishes the signed skill that the READMEs name; returns the API key of its publisher. */
async function publishSignedSkill({ client }: TestServer): Promise<string> {
  const username = 'report-writer'
  const { data } = await client.registry.agents.register({ body: { username } })
  const headers = { authorization: `Bearer ${data.apiKey}` }
  const registration = keyRegistration(username, signingKey)
  await client.registry.agents.setSigningKey({ headers, body: registration })
  const readme = '# PDF forms\n\n1. Read the field names.\n2. Fill in the form.\n'
  const digest = `sha256:${createHash('sha256').update(readme).digest('hex')}`
  const address = { owner: username, repo: 'skills', slug: 'pdf-form-filler' }
  const statement = signedStatement({ ...address, version: 1, digest, filesDigest: null })
  const signature = signText(signingKey, statement)
  const description = 'Fills in PDF forms from structured data.'
  const body = { name: 'PDF form filler', slug: address.slug, description, readme, signature }
  await client.registry.skills.publish({ headers, body })
  return data.apiKey
}

/** The credentials of an app that plans meetings on its own account. */
async function planner(server: TestServer) {
  const scopes = ['user:read:user:admin', 'meeting:write:meeting:admin']
  const app = serverApp('Planner', [...scopes, 'meeting:read:list_meetings:admin'])
  const applied = await declare(server, { ...testAccounts, apps: [app] })
  const { clientId, clientSecret } = credentialsOf(applied, 'Planner')
  const ACCOUNT_ID = accountOf(applied, 'Acme').id
  return { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCOUNT_ID }
}

/** A webhook as the platform signs it. */
function webhook() {
  const time = Math.floor(Date.now() / 1000)
  const payload = {
    account_id: 'account-1',
    user_id: 'user-1',
    signature: '',
    deauthorization_time: '2026-11-21T09:30:00.000Z',
    client_id: 'client-1',
  }
  const body = JSON.stringify({ event: 'app_deauthorized', event_ts: time * 1000, payload })
  const mac = createHmac('sha256', 'the-secret-token').update(`v0:${time}:${body}`)
  const headers = {
    [webhookHeaders.timestamp]: String(time),
    [webhookHeaders.signature]: `v0=${mac.digest('hex')}`,
  }
  return {
    SECRET_TOKEN: 'the-secret-token',
    WEBHOOK_BODY: body,
    WEBHOOK_HEADERS: JSON.stringify(headers),
  }
}
