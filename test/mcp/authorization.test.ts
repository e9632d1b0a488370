import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { password, testAccounts } from '../support/apps.ts'
import { hasChromium, openPage } from '../support/browser.ts'
import { afterFile, temporaryFolder, writeFiles } from '../support/cleanup.ts'
import { operateJson } from '../support/commands.ts'
import { createServerDatabase } from '../support/databases.ts'
import { serveHttp } from '../support/http-server.ts'
import { hasProgram } from '../support/lacking.ts'
import { textOf } from '../support/mcp.ts'
import { freePort, makeCertificate, startProcess } from '../support/processes.ts'

const name = 'Desk assistant'
const hasOpenssl = hasProgram('openssl', 'version')

/** Serves a client's document by HTTPS. Returns its address, and the certificate to trust. */
async function serveDocument() {
  const { key, certificate } = makeCertificate(await temporaryFolder(), 'localhost')
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `https://localhost:${(server.address() as AddressInfo).port}/client.json`
  server.on('request', (_req, res) => {
    res.setHeader('Content-Type', 'application/json')
    const redirect_uris = ['http://127.0.0.1/callback']
    res.end(JSON.stringify({ client_id: url, client_name: name, redirect_uris }))
  })
  afterFile(async () => void server.close())
  return { url, certificate }
}

/** Starts the server in a process that trusts a certificate, with the accounts of the tests. */
async function startTrusting(certificate: string) {
  const database = await createServerDatabase('sqlite')
  afterFile(database.remove)
  const env = { NODE_ENV: 'test', NODE_EXTRA_CA_CERTS: certificate }
  const options = { databaseUrl: database.url, port: await freePort(), env }
  const folder = await temporaryFolder()
  await writeFiles(folder, { 'accounts.json': JSON.stringify({ accounts: testAccounts.accounts }) })
  const server = await startProcess(options)
  afterFile(() => server.end('SIGTERM'))
  await operateJson(database, 'apply', join(folder, 'accounts.json'))
  return `http://localhost:${server.port}`
}

/** A host that keeps the SDK's credentials in memory, with a page that receives codes. */
async function startHost(clientMetadataUrl: string, serverUrl: URL) {
  let callback: (parameters: URLSearchParams) => void = () => {}
  const receiver = await serveHttp((req, res) => {
    callback(new URL(req.url ?? '', receiver.url).searchParams)
    res.end('Back at the host.')
  })
  afterFile(async () => receiver.stop())
  const redirectUrl = `${receiver.url}/callback`
  const stored: {
    client?: object
    tokens?: OAuthTokens | undefined
    verifier: string
    page?: URL
    discovery?: OAuthDiscoveryState
  } = { verifier: '' }
  const store = (parts: Partial<typeof stored>): void => {
    Object.assign(stored, parts)
  }
  const authProvider: OAuthClientProvider = {
    redirectUrl,
    clientMetadataUrl,
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl] },
    clientInformation: () => stored.client as ReturnType<OAuthClientProvider['clientInformation']>,
    saveClientInformation: (client) => store({ client }),
    tokens: () => stored.tokens,
    saveTokens: (tokens) => store({ tokens }),
    redirectToAuthorization: (page) => store({ page }),
    saveCodeVerifier: (verifier) => store({ verifier }),
    codeVerifier: () => stored.verifier,
    saveDiscoveryState: (discovery) => store({ discovery }),
    discoveryState: () => stored.discovery,
  }
  const newTransport = () => new StreamableHTTPClientTransport(serverUrl, { authProvider })
  const connect = async () => {
    const client = new Client({ name, version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(newTransport())
    return client
  }
  return {
    stored,
    connect,
    /** Runs a step that needs the user's permission, lets the user decide, and repeats it. */
    async withConsent<T>(step: () => Promise<T>, decide: (url: string) => Promise<void>) {
      await expect(step()).rejects.toThrow(UnauthorizedError)
      const received = new Promise<URLSearchParams>((resolve) => {
        callback = resolve
      })
      await decide(stored.page?.href ?? '')
      await newTransport().finishAuth(await received)
      return step()
    },
  }
}

test.runIf(hasChromium && hasOpenssl)(
  'an MCP host gets permission by the address of the server alone, steps up, refreshes and is removed',
  async () => {
    const { url: document, certificate } = await serveDocument()
    const origin = await startTrusting(certificate)
    const host = await startHost(document, new URL('/v2/mcp', origin))
    let page: Page | undefined
    const allow = async (url: string) => {
      if (page) await page.goto(url)
      else {
        page = (await openPage(url)).page
        await page.getByLabel('Email').fill('member@acme.test')
        await page.getByLabel('Password').fill(password)
        await page.getByRole('button', { name: 'Sign in' }).click()
      }
      const text = await page.locator('main').innerText()
      expect(text).toContain('Unverified')
      expect(text).toContain(new URL(document).host)
      expect(text).toContain(name)
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.getByText('Back at the host.').waitFor()
    }
    const client = await host.withConsent(host.connect, allow)
    const read = () => client.callTool({ name: 'user_get', arguments: {} })
    expect(textOf(await read())).toContain('member@acme.test')
    const basic = 'user:read:user meeting:read:list_meetings meeting:read:meeting'
    expect(host.stored.tokens?.scope?.split(' ').sort()).toEqual(basic.split(' ').sort())

    const create = () =>
      client.callTool({ name: 'meeting_create', arguments: { topic: 'Quarterly goals' } })
    const created = await host.withConsent(create, allow)
    expect(textOf(created)).toContain('Quarterly goals')
    expect(host.stored.tokens?.scope).toContain('meeting:write:meeting')
    expect(textOf(await read())).toContain('member@acme.test')

    const { refresh_token: former = '' } = host.stored.tokens ?? {}
    host.stored.tokens = { ...host.stored.tokens, access_token: 'unknown', token_type: 'bearer' }
    expect(textOf(await read())).toContain('member@acme.test')
    expect(host.stored.tokens?.refresh_token).not.toBe(former)

    await page?.goto(`${origin}/my/apps`)
    await page?.getByRole('button', { name: 'Remove' }).click()
    await page?.getByRole('heading', { name: 'Remove' }).waitFor()
    await page?.getByRole('button', { name: 'Remove' }).click()
    await page?.getByText('No app has access').waitFor()
    await expect(read()).rejects.toThrow('This authorization has ended')
  },
)
