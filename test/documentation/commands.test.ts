import { spawn } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { transform } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../support/cleanup.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { hasProgram } from '../support/lacking.ts'
import { approveDevice, authorizeCode, type Session, signIn } from '../support/people.ts'
import { clientCommand, root } from '../support/processes.ts'
import { until } from '../support/waiting.ts'

const hasCurl = hasProgram('curl', '--version')
const server = await startDemoServer()
const credentials = server.output().match(/^ {2}export .*$/gm) ?? []

/** Returns the blocks of a page in a language, addressed to the server of this test. */
async function blocksOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8')
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

const signedIn = await Promise.all(
  server.emails.map((email) => signIn(server, { email, password: server.password })),
)
const [owner, , member] = signedIn as [Session, Session, Session]

/** Creates a project that can import the client, with a skill to publish. */
async function newProject(): Promise<string> {
  const folder = await temporaryFolder()
  const skill =
    '---\nname: read-invoices\ndescription: Reads invoices. Use for bills.\n---\n# Read\n'
  await writeFiles(folder, { 'read-invoices/SKILL.md': skill, 'node_modules/.keep': '' })
  await symlink(join(root, 'node_modules/@skillpass'), join(folder, 'node_modules/@skillpass'))
  return folder
}

/** Runs the TypeScript blocks of a page as one program, and allows its device. Returns its output. */
async function runSamples(page: string): Promise<string> {
  const { code } = await transform((await blocksOf(page, 'ts')).join(''), { loader: 'ts' })
  const folder = await newProject()
  await writeFiles(folder, { 'try.mjs': code })
  const paste = openShell(folder)
  const running = paste('node try.mjs 2>&1 | tee printed')
  const printed = () => readFile(join(folder, 'printed'), 'utf8').catch(() => '')
  if (code.includes('deviceFlow(')) {
    await until('the device code', async () => / enter \S+\.\n/.test(await printed()))
    const [, userCode = ''] = / enter (\S+)\.\n/.exec(await printed()) ?? []
    await approveDevice(member, userCode)
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

test('the TypeScript sample of README.md runs as pasted after npm start', async () => {
  const shown = await blocksOf('README.md', 'text')
  expectShown([await runSamples('README.md')], shown.slice(3))
})

test("the commands of the client's guide work as pasted on the demo data", async () => {
  const folder = await newProject()
  const url = `http://localhost:${server.port}`
  const paste = openShell(folder, { SKILLPASS_URL: url, HOME: folder })
  await paste(`skillpass() { node '${clientCommand}' "$@" < /dev/null; }\nnpx() { "$@"; }`)
  const printed: string[] = []
  for (const block of await shellBlocks('client-sdk/docs/command.md')) {
    printed.push(await paste(block))
  }
  expect(printed.join('\n')).toMatch(/# Fill a PDF form.*Installed.*/s)
  const [, command = ''] = await shellBlocks('client-sdk/README.md')
  expect(await paste(command)).toMatch(/# Fill/s)
})

test("the TypeScript samples of the client's README run in order on the demo data", async () => {
  expect(await runSamples('client-sdk/README.md')).toMatch(
    /fill-pdf-form 0\.\d.*^\d+\nInstalled version \d .*is not signed\.\n.*email: 'owner@acme\.test'.*\/meetings\/\d+/ms,
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

test.skipIf(!hasCurl)('the shell blocks of README.md work as pasted', async () => {
  const [start, ...blocks] = await shellBlocks('README.md')
  expect(start).toBe('npm start\n')
  const paste = openShell()
  const printed: string[] = []
  for (const block of blocks) printed.push(await paste(block))
  expect(printed).toHaveLength(4)
  const shown = await blocksOf('README.md', 'text')
  expectShown(printed.slice(1), shown.slice(0, 3))
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

  const { searchParams } = new URL((await paste(`${authorize}`)).trim())
  const { code } = await authorizeCode(owner, Object.fromEntries(searchParams))
  await paste(`CODE=${code}\n${exchange}`)
  const refreshed = await paste(`${refresh}`)
  expect(refreshed).toContain('"email":"owner@acme.test"')
  expect(await paste(`${revoke}`)).toContain('"status":"success"')

  const { user_code, device_code } = JSON.parse(await paste(`${connect}`))
  expect(await approveDevice(member, user_code)).toBe(200)
  const polled = await paste(`DEVICE_CODE=${device_code}\n${poll}`)
  expect(polled).toContain('"refresh_token":"')

  expect(await paste(`${chatbot}`)).toContain('"to_jid":"user@acme"')
})
