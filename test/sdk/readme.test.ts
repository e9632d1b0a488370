import { execFile } from 'node:child_process'
import { createHash, createHmac, createPrivateKey } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { signedStatement, webhookHeaders } from '@skillpass/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountOf, credentialsOf, declare, serverApp, testAccounts } from '../support/apps.ts'
import { temporaryFolder } from '../support/cleanup.ts'
import {
  compile,
  installNodeTypes,
  installPackedClient,
  type Resolution,
  typescript5,
  typescript7,
} from '../support/packed-client.ts'
import { readmeSnippets } from '../support/readme-snippets.ts'
import { startTestServer } from '../support/server.ts'
import { keyRegistration, signText } from '../support/signing.ts'

const run = promisify(execFile)
const server = await startTestServer()
const project = await temporaryFolder()
const snippets = await readmeSnippets()
const fileOf = (name: string) => `${name.replaceAll(/\W+/g, '-')}.ts`
const env: Record<string, string | undefined> = { PATH: process.env.PATH }

beforeAll(async () => {
  await installPackedClient(project)
  await installNodeTypes(project)
  for (const { name, code } of snippets) {
    const here = code.replaceAll('http://localhost:3000', server.url)
    await writeFile(join(project, fileOf(name)), here)
  }
  await writeFile(join(project, 'tokens.json'), JSON.stringify(tokens))
  Object.assign(env, { SKILLPASS_API_KEY: await publishSigned() }, await planner(), webhook())
})

/** What a device has kept from an earlier time. */
const tokens = {
  accessToken: 'sat_kept',
  refreshToken: 'srt_kept',
  scope: 'user:read:user',
  apiUrl: server.url,
  issuedAt: Date.now(),
  expiresAt: Date.now() + 3_600_000,
}

/** The key of RFC 8032 §7.1, test 1, whose public half the README shows. */
const signingKey = createPrivateKey({
  key: Buffer.concat([
    Buffer.from('302e020100300506032b657004220420', 'hex'),
    Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex'),
  ]),
  format: 'der',
  type: 'pkcs8',
})

/** The skill that the READMEs speak of, signed; gives the API key of its publisher. */
async function publishSigned(): Promise<string> {
  const username = 'report-writer'
  const { data } = await server.client.registry.agents.register({ body: { username } })
  const headers = { authorization: `Bearer ${data.apiKey}` }
  const registration = keyRegistration(username, signingKey)
  await server.client.registry.agents.setSigningKey({ headers, body: registration })
  const readme = '# PDF forms\n\n1. Read the field names.\n2. Fill in the form.\n'
  const digest = `sha256:${createHash('sha256').update(readme).digest('hex')}`
  const address = { owner: username, repo: 'skills', slug: 'pdf-form-filler' }
  const statement = signedStatement({ ...address, version: 1, digest, filesDigest: null })
  const signature = signText(signingKey, statement)
  const description = 'Fills in PDF forms from structured data.'
  const body = { name: 'PDF form filler', slug: address.slug, description, readme, signature }
  await server.client.registry.skills.publish({ headers, body })
  return data.apiKey
}

/** An app that plans meetings on its own account. */
async function planner() {
  const scopes = ['user:read:user:admin', 'meeting:write:meeting:admin']
  const app = serverApp('Planner', [...scopes, 'meeting:read:list_meetings:admin'])
  const applied = await declare(server, { ...testAccounts, apps: [app] })
  const { clientId, clientSecret } = credentialsOf(applied, 'Planner')
  const ACCOUNT_ID = accountOf(applied, 'Acme').id
  return { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, ACCOUNT_ID }
}

/** A delivery, as the platform signs it. */
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

describe('every snippet of the READMEs, with the packed client', () => {
  test.each<[string, Resolution, string]>([
    ['TypeScript 5', 'bundler', typescript5],
    ['TypeScript 5', 'nodenext', typescript5],
    ['TypeScript 7', 'bundler', typescript7],
    ['TypeScript 7', 'nodenext', typescript7],
  ])(
    'compiles strict and without skipLibCheck: %s, %s',
    async (_, resolution, compiler) => {
      const files = snippets.map(({ name }) => fileOf(name))
      expect(await compile(project, compiler, resolution, files, '--types', 'node')).toBe('')
    },
    120_000,
  )

  test.each(snippets)('runs: $name', async ({ name }) => {
    const script = fileOf(name).replace('.ts', '.js')
    const { stderr } = await run('node', [script], { cwd: project, env })
    expect(stderr).toBe('')
  })

  test('does what it says: finds, refuses a taken slug, makes a meeting, reads an event', async () => {
    const said = async (name: string) => {
      const script = fileOf(name).replace('.ts', '.js')
      return (await run('node', [script], { cwd: project, env })).stdout
    }
    expect(await said('README 1')).toContain('# PDF forms')
    expect(await said('README 3')).toBe('deleted user-1\n')
    expect(await said('client-sdk/README 1')).toContain('The slug is taken.')
    expect(await said('client-sdk/README 7')).toMatch(/\/\d{10,}.*\n.*Weekly/)
    expect(await said('client-sdk/README 8')).toBe('deleted user-1\n204\n')
  })
})
