import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { callback } from '../support/apps.ts'
import { hasChromium, openPage } from '../support/browser.ts'
import { afterFile } from '../support/cleanup.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { signIn } from '../support/people.ts'
import { freePort, root } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/waiting.ts'
import { change, overviewOf, planner, postNewApp } from './console.ts'

const server = await startDemoServer()
const owner = 'owner@acme.test'
const session = await signIn(server, { email: owner, password: server.password })

const folder = mkdtempSync(join(tmpdir(), 'skillpass-quick-start-'))
afterFile(async () => rmSync(folder, { recursive: true }))
symlinkSync(`${root}/node_modules`, join(folder, 'node_modules'))

const receiver = await startReceiver()

/** Runs a snippet as pasted: a script in `sh`, or TypeScript in a file. Returns its output. */
async function run(snippet: string, { answer = async (_: string) => '', env = {} } = {}) {
  const file = join(folder, 'quick-start.mts')
  const isScript = snippet.includes('curl')
  if (!isScript) writeFileSync(file, snippet)
  const [command, ...args] = isScript
    ? ['sh', '-c', snippet]
    : [join(root, 'node_modules/.bin/tsx'), file]
  const child = spawn(command ?? '', args, { cwd: folder, env: { ...process.env, ...env } })
  const errors = text(child.stderr)
  let output = ''
  let isAnswered = false
  child.stdout.setEncoding('utf8').on('data', async (chunk: string) => {
    output += chunk
    if (isAnswered || !/(at: |Enter\. |enter .*\.\n)$/.test(output)) return
    isAnswered = true
    child.stdin.end(`${await answer(output)}\n`)
  })
  await new Promise((resolve) => child.once('close', resolve))
  return output + (await errors)
}

const plain = (html: string) =>
  html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The snippets of a page's quick start. */
const snippetsOf = (html: string) =>
  [...html.matchAll(/<pre tabindex="0"><code>(.*?)<\/code>/gs)].map(([, code = '']) => plain(code))

/** Registers an app. Returns its id, the page of its secrets and that page's snippets. */
async function registered(fields: Record<string, string>) {
  const made = await postNewApp(session, fields)
  const path = made.headers.get('location') ?? ''
  const html = await (await session.get(path)).text()
  return { id: path.split('/')[3] ?? '', html, snippets: snippetsOf(html) }
}

test.each([
  ['user:read:user:admin', 'owner@acme.test'],
  ['meeting:read:list_meetings:admin', 'meetings'],
  ['user:read:list_users:admin', 'admin@acme.test'],
  ['user:read:settings', 'scheduled_meeting'],
  ['marketplace:read:app:admin', 'Reporter'],
  ['meeting:write:meeting', 'Quick start'],
  ['meeting:read:meeting', 'meeting:read:meeting'],
])('the quick start of a service with %s gets a token and makes a call', async (scope, shown) => {
  const fields = {
    name: `Service ${scope}`,
    type: 'server-to-server',
    [`pick ${scope}`]: 'required',
  }
  const { id, html, snippets } = await registered(fields)
  expect(snippets).toHaveLength(2)
  expect(snippets[0]?.includes('Bearer')).toBe(scope !== 'meeting:read:meeting')
  for (const snippet of snippets) expect(await run(snippet)).toContain(shown)
  const [, secret = ''] = /(scs_\w+)/.exec(snippets[0] ?? '') ?? []
  expect(html).toContain(secret)
  const overview = await (await session.get(overviewOf(id))).text()
  expect(overview).not.toContain(secret)
  const [curl = '', typescript = ''] = snippetsOf(overview)
  for (const snippet of [curl, typescript]) {
    expect(await run(snippet, { env: { CLIENT_SECRET: secret } })).toContain(shown)
  }
})

test('the quick start of an app signs a person in by the link of the page', async () => {
  const { html, snippets } = await registered({ ...planner, name: 'Signing in' })
  const [, link = ''] = /href="([^"]*\/oauth\/authorize\?[^"]*)"/.exec(html) ?? []
  const allow = async (address: string) => (await server.visit(plain(address), owner)).location
  const [curl = '', typescript = ''] = snippets
  expect(await run(curl, { answer: () => allow(link) })).toContain('owner@acme.test')
  const answer = (output: string) => allow(/http:\S+/.exec(output)?.[0] ?? '')
  expect(await run(typescript, { answer })).toContain('owner@acme.test')
})

test('the quick start of a public client that also runs on devices needs no secret', async () => {
  const { id } = await registered({ ...planner, name: 'Pocket', redirect_uris: '' })
  const flags = { name: 'Pocket', visibility: 'private', level: 'user' }
  await change(session, overviewOf(id), { ...flags, device_flow: 'on', public_client: 'on' })
  const html = await (await session.get(overviewOf(id))).text()
  expect(html).toContain('Add a redirect address')
  expect(html).not.toContain('CLIENT_SECRET')
  const answer = async (output: string) => {
    const [code = ''] = /[A-Z]{4}-[A-Z]{4}/.exec(output) ?? []
    await server.approveDevice(code, owner)
    return ''
  }
  for (const snippet of snippetsOf(html)) {
    expect(await run(snippet, { answer })).toContain('owner@acme.test')
  }
  await change(session, `${overviewOf(id)}/redirects`, { development: callback, production: '' })
  expect(snippetsOf(await (await session.get(overviewOf(id))).text())).toHaveLength(4)
})

test('the quick start of a chat bot sends a message, which the console shows', async () => {
  const { id, snippets } = await registered({ name: 'Greeter', type: 'chatbot' })
  for (const snippet of snippets) expect(await run(snippet)).toContain('message_id')
  const messages = await (await session.get(`${overviewOf(id)}/messages`)).text()
  expect(messages.match(/Hello/g)).toHaveLength(2)
})

test('the sample receiver of the webhooks page passes the validation and receives a test event', async () => {
  const { id, html } = await registered({ ...planner, name: 'Receiving' })
  const [, SECRET_TOKEN = ''] = /(swt_\w+)/.exec(html) ?? []
  const path = `${overviewOf(id)}/webhooks`
  const port = await freePort()
  await change(session, path, { url: `http://127.0.0.1:${port}/events` })
  const validate = () => change(session, path, {}, { action: `${path}/validation` })
  const page = await (await validate()).text()
  expect(page).toContain('<details class="sample" open')
  const file = join(folder, 'receiver.mts')
  writeFileSync(file, snippetsOf(page)[0] ?? '')
  const env = { ...process.env, SECRET_TOKEN, PORT: String(port) }
  const receiver = spawn(join(root, 'node_modules/.bin/tsx'), [file], { cwd: folder, env })
  afterFile(async () => void receiver.kill())
  const output: string[] = []
  receiver.stdout.setEncoding('utf8').on('data', (chunk: string) => output.push(chunk))
  await until('the receiver', async () => {
    const reply = await fetch(`http://127.0.0.1:${port}`).catch(() => undefined)
    return reply?.status === 401
  })
  expect((await validate()).headers.get('location')).toBe(`${path}?done=valid`)
  const sent = await change(session, path, {}, { action: `${path}/test` })
  expect(sent.headers.get('location')).toBe(`${path}?done=tested`)
  const isDelivered = async () => (await (await session.get(path)).text()).includes('Delivered')
  await until('the delivery', isDelivered)
  expect(output.join('')).toContain("event: 'endpoint.test'")
})

describe.skipIf(!hasChromium)('in a browser', () => {
  test.each([
    ['with', true],
    ['without', false],
  ])(
    'a stranger signs up, builds an app, finds its failed call and deletes it, %s JavaScript',
    async (...[how, javaScriptEnabled]) => {
      const { page, complaints } = await openPage(`${server.url}/`, { javaScriptEnabled })
      const press = async (name: string | RegExp) => {
        await page.getByRole('button', { name, exact: true }).click()
        await page.waitForLoadState()
      }
      const follow = async (name: string) => {
        await page.getByRole('main').getByRole('link', { name, exact: true }).first().click()
        await page.waitForLoadState()
      }
      await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link', { name: 'Console' })
        .click()
      await follow('Create an account')
      await page.getByLabel('First name').fill('Nora')
      await page.getByLabel('Last name').fill(how)
      await page.getByLabel('Email').fill(`nora.${how}@new.test`)
      await page.getByLabel('Password', { exact: true }).fill('a long enough phrase')
      await press('Create account')
      await follow('Register an app')
      await follow('An app that people sign in to')
      await page.getByLabel('Name', { exact: true }).fill(`Nora’s app ${how}`)
      await page.getByLabel('Redirect addresses').fill(callback)
      await press('Register')
      const secret = await page
        .locator('.credentials code', { hasText: 'scs_' })
        .first()
        .innerText()
      const token = await page.locator('.credentials code', { hasText: 'swt_' }).innerText()
      const snippet = await page.locator('#start-user ~ details pre').first().innerText()
      await page.reload()
      expect(await page.locator('main').innerText()).toContain(secret)
      const answer = async () => {
        const consent = await page.context().newPage()
        await consent.goto(page.url())
        await consent.getByRole('link', { name: 'Open the consent page' }).click()
        const [arrived] = await Promise.all([
          consent.waitForRequest((request) => request.url().startsWith(callback)),
          consent.getByRole('button', { name: 'Allow' }).click(),
        ])
        await consent.close()
        return arrived.url()
      }
      expect(await run(snippet, { answer })).toContain(`nora.${how}@new.test`)
      await run(snippet.replace(secret, 'scs_wrong'), { answer })
      await press('I have copied them')
      await follow('Calls')
      const failed = page.getByRole('row', { name: '4702' })
      expect(await failed.innerText()).toContain('The client id or the client secret is wrong.')
      await follow('Webhooks')
      await page.getByLabel('Address').fill(receiver.url('/walk'))
      await press('Save')
      receiver.trust('/walk', token)
      await press('Send a test event')
      await until('the delivery', async () => {
        await page.reload()
        return page.getByText('Delivered').isVisible()
      })
      await follow('Overview')
      await page.getByLabel('Name of the app').fill(`Nora’s app ${how}`)
      await press('Delete')
      expect(await page.locator('main').innerText()).toContain('The app is deleted.')
      expect(complaints.filter((text) => !text.includes('ERR_CONNECTION_REFUSED'))).toEqual([])
    },
  )
})
