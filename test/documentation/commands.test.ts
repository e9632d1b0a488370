import { spawn } from 'node:child_process'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { transform } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../support/cleanup.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { hasProgram } from '../support/lacking.ts'
import { root } from '../support/processes.ts'
import { startTestServer } from '../support/server.ts'
import { until } from '../support/waiting.ts'

const hasCurl = hasProgram('curl', '--version')
const server = await startDemoServer()
const credentials = server.output().match(/^ {2}export .*$/gm) ?? []

/** Returns the blocks of a file or of a page of the server, in a language, addressed to the server of this test. */
async function blocksOf(page: string, language: string): Promise<string[]> {
  const text = page.startsWith('/')
    ? await (await server.http(`${page}.md`)).text()
    : await readFile(join(root, page), 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))
  return Array.from(blocks, ([, block = '']) =>
    block.replaceAll('localhost:3000', `localhost:${server.port}`),
  )
}

const shellBlocks = (page: string) => blocksOf(page, 'sh')

/** Opens a shell that stays open between blocks, with the credentials that `npm start` prints. */
function openShell(cwd = root, env: Record<string, string> = {}) {
  const bash = spawn('bash', ['-e'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: bash.stdout })[Symbol.asyncIterator]()
  const end = '=== end of block ==='
  onTestFinished(() => void bash.kill())
  /** Pastes a block; returns what it prints. */
  async function paste(block: string): Promise<string> {
    bash.stdin.write(`${block}\necho; echo '${end}'\n`)
    const printed: string[] = []
    for (let line = await lines.next(); line.value !== end; line = await lines.next()) {
      if (line.done) throw new Error(`The shell exited in this block:\n${block}`)
      printed.push(line.value)
    }
    return printed.join('\n')
  }
  bash.stdin.write(`${credentials.join('\n')}\n`)
  return paste
}

/** Contains the signing key of demo-agent, which is permanent. */
const home = await temporaryFolder()

const [owner = '', , member = ''] = server.emails

/**
 * Creates a checkout whose neighbours are in a temporary folder. `npm` is replaced: `npm ci` and
 * `npm pack` do nothing, and `npm install` links the packages of the checkout.
 */
async function newCheckout() {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'skillpass'))
  const modules = join(root, 'node_modules')
  await symlink(modules, join(folder, 'skillpass/node_modules'))
  const env = { SKILLPASS_URL: `http://localhost:${server.port}`, HOME: home }
  const paste = openShell(join(folder, 'skillpass'), env)
  await paste(`npm() { if [ $1 = install ]; then ln -sfn '${modules}' node_modules; fi; }`)
  return { project: join(folder, 'my-project'), paste }
}

/**
 * Runs the TypeScript blocks of a page as one program in a folder, and allows its device. Returns
 * its output.
 */
async function runSamples(page: string, folder: string, paste: (block: string) => Promise<string>) {
  const { code } = await transform((await blocksOf(page, 'ts')).join(''), { loader: 'ts' })
  await writeFiles(folder, { 'try.mjs': code })
  const running = paste(`cd '${folder}'; node try.mjs 2>&1 | tee printed`)
  const printed = () => readFile(join(folder, 'printed'), 'utf8').catch(() => '')
  if (code.includes('deviceFlow(')) {
    await until('the device code', async () => / enter \S+\.\n/.test(await printed()))
    const [, userCode = ''] = / enter (\S+)\.\n/.exec(await printed()) ?? []
    await server.approveDevice(userCode, member)
  }
  return running
}

const quoteRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Expects outputs that a page shows, shortened by `…`. */
function expectShown(printed: readonly string[], shown: readonly string[]) {
  const patterns = shown.map((text) =>
    text
      .trim()
      .split(/\s*…\s*/)
      .map(quoteRegExp)
      .join('.*'),
  )
  expect(printed).toEqual(
    patterns.map((pattern) => expect.stringMatching(new RegExp(`^${pattern}`, 's'))),
  )
}

test("the commands of the client's guide work as pasted on the demo data", async () => {
  const { paste } = await newCheckout()
  const printed: string[] = []
  for (const block of await shellBlocks('client-sdk/docs/command.md')) {
    printed.push(await paste(block))
  }
  expect(printed.join('\n')).toMatch(/# Fill a PDF form.*Installed.*is signed by/s)
})

test.skipIf(!hasCurl)(
  "README.md, the client's README and the guide of its command work as pasted in one shell",
  async () => {
    const { paste, project } = await newCheckout()
    const [start, ...blocks] = await shellBlocks('README.md')
    expect(start).toBe('npm start\n')
    const printed: string[] = []
    for (const block of blocks) printed.push(await paste(block))
    const shown = await blocksOf('README.md', 'text')
    expect(printed).toHaveLength(4)
    expectShown(printed, shown)

    const installed: string[] = []
    for (const block of await shellBlocks('client-sdk/README.md')) {
      installed.push(await paste(block))
    }
    expect(installed.at(-1)).toMatch(/# Fill.*demo-agent\/skills\/read-invoices/s)
    expect(await runSamples('client-sdk/README.md', project, paste)).toMatch(
      /fill-pdf-form 0\.\d.*^\d+\nInstalled version \d .*is not signed\.\n.*email: 'owner@acme\.test'.*\/meetings\/\d+/ms,
    )

    const last = await shellBlocks('client-sdk/docs/command.md')
    const signed: string[] = []
    for (const block of last) signed.push(await paste(block))
    expect(signed.at(-1)).toContain('demo-agent/skills/read-invoices, version ')
  },
)

test.skipIf(!hasCurl)('the four first steps of /docs run as pasted on the demo data', async () => {
  const [find, publish, token, signUserIn] = await shellBlocks('/docs')
  const paste = openShell()
  expect(await paste(`${find}`)).toContain('name: fill-pdf-form')
  expect(await paste(`${publish}`)).toMatch(/"slug":"water-plants".*"verdict":"clean"/)
  expect(await paste(`${token}`)).toContain('"email":"owner@acme.test"')
  const [, query = ''] = /authorize\?(.*?)'/.exec(`${signUserIn}`) ?? []
  const { code } = await server.visit(`?${query}`, owner)
  expect(await paste(`${signUserIn?.trim()}\n${code}`)).toContain('"refresh_token":"')
})

test.skipIf(!hasCurl)('the four walks of /docs/guide run as pasted on the demo data', async () => {
  const blocks = await shellBlocks('/docs/guide')
  const [field, ...walks] = blocks
  const [curlServer, program, curlUser, refresh, user, curlDevice, device, curlBot, bot] = walks
  expect(walks).toHaveLength(9)
  const paste = openShell()
  await paste(`${field}`)
  for (const block of [curlServer, program]) {
    expect(await paste(`${block}`)).toMatch(/"?email"?: ?["']owner@acme\.test/)
  }

  const [asking = '', answering = ''] = `${curlUser}`.split(' &&\n  read -r CODE')
  const { code } = await server.visit((await paste(asking)).trim(), owner)
  expect(await paste(`read -r CODE${answering.trimEnd()}\n${code}`)).toContain('owner@acme.test')
  expect(await paste(`${refresh}`)).toContain('"status":"success"')

  const folder = await temporaryFolder()
  /** Pastes a block and waits until it prints a pattern. */
  const pasteUntil = async (block: string, pattern: RegExp) => {
    const file = join(folder, 'printed')
    const running = paste(`{\n${block}} 2>&1 | tee '${file}'`)
    const printed = () => readFile(file, 'utf8').catch(() => '')
    await until('an address', async () => pattern.test(await printed()))
    return { running, match: pattern.exec(await printed())?.[1] ?? '' }
  }
  const signingIn = await pasteUntil(`${user}`, /^Open (\S+)\n/m)
  await fetch((await server.visit(signingIn.match, owner)).location)
  expect(await signingIn.running).toContain('owner@acme.test')

  const [showing = '', polling = ''] = `${curlDevice}`.split(' &&\n  read -r _ && ')
  const address = new URL((await paste(showing)).trim())
  await server.approveDevice(address.pathname.split('/').at(-1) ?? '', member)
  expect(await paste(polling)).toContain('"refresh_token":"')
  const connecting = await pasteUntil(`${device}`, / enter (\S+)\.\n/)
  await server.approveDevice(connecting.match, member)
  expect(await connecting.running).toContain('user@acme.test')

  for (const block of [curlBot, bot]) {
    expect(await paste(`${block}`)).toMatch(/"?to_jid"?: ?["']user@acme/)
  }
})

test('the first steps of /docs on a production server name what to fill in', async () => {
  const production = await startTestServer()
  const steps = await (await production.http('/docs.md')).text()
  expect(steps).toContain('-u "CLIENT_ID:CLIENT_SECRET"')
  expect(steps).not.toMatch(/demo|DEMO|\$REPORTER|de300000/)
})

test('the commands of /docs/publish publish a folder as pasted, with a new agent', async () => {
  const paste = openShell(await temporaryFolder(), { HOME: await temporaryFolder() })
  const printed: string[] = []
  for (const block of await shellBlocks('/docs/publish')) printed.push(await paste(block))
  expect(printed.slice(1).join('\n')).toMatch(
    /clean.*Published my-agent-\d+\/skills\/read-invoices, version 1.*^http\S+\/my-agent-\d+\/skills\/read-invoices$/ms,
  )
})

test('npm start prints at most ten lines before its log, with credentials to paste', () => {
  expect(credentials).toHaveLength(5)
  expect(server.emails).toHaveLength(3)
  expect(server.output().trim().split('\n').length).toBeLessThanOrEqual(10)
})

test('README.md has at most 8,192 bytes', async () => {
  expect((await readFile(join(root, 'README.md'))).length).toBeLessThanOrEqual(8192)
})

test.skipIf(!hasCurl)('the shell blocks of the OAuth quickstart work as pasted', async () => {
  const blocks = await shellBlocks('server/docs/oauth-quickstart.md')
  const [field, account, authorize, exchange, refresh, revoke, connect, poll, chatbot] = blocks
  expect(blocks).toHaveLength(9)
  const paste = openShell()
  await paste(`${field}`)
  const created = await paste(`${account}`)
  expect(created).toContain('"email":"owner@acme.test"')
  expect(created).toMatch(/"topic":"Planning".*"start_time":"2030-01-01T10:00:00Z"/)

  const { code } = await server.visit((await paste(`${authorize}`)).trim(), owner)
  await paste(`CODE=${code}\n${exchange}`)
  const refreshed = await paste(`${refresh}`)
  expect(refreshed).toContain('"email":"owner@acme.test"')
  expect(await paste(`${revoke}`)).toContain('"status":"success"')

  const { user_code, device_code } = JSON.parse(await paste(`${connect}`))
  await server.approveDevice(user_code, member)
  const polled = await paste(`DEVICE_CODE=${device_code}\n${poll}`)
  expect(polled).toContain('"refresh_token":"')

  expect(await paste(`${chatbot}`)).toContain('"to_jid":"user@acme"')
})
