import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { startDemoServer } from '../support/demo-server.ts'
import { hasProgram } from '../support/lacking.ts'
import { approveDevice, authorizeCode, type Session, signIn } from '../support/people.ts'
import { root } from '../support/processes.ts'

const hasCurl = hasProgram('curl', '--version')
const server = await startDemoServer()
const credentials = server.output().match(/^ {2}export .*$/gm) ?? []

/** Returns the shell blocks of a page, addressed to the server of this test. */
async function shellBlocks(page: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8')
  return Array.from(text.matchAll(/^```sh\n(.*?)^```/gms), ([, block = '']) =>
    block.replaceAll('localhost:3000', `localhost:${server.port}`),
  )
}

/** Opens a shell that stays open between blocks, with the credentials that `npm start` prints. */
function openShell() {
  const bash = spawn('bash', ['-e'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] })
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
  const [, published, fetched, meeting] = printed
  expect(printed).toHaveLength(4)
  expect(published).toContain('"slug":"tide-table-reader"')
  expect(fetched).toMatch(/"confidence":.*# Tide tables\n\n1\. Find the table/s)
  expect(meeting).toMatch(/"topic":"Planning".*"start_time":"2030-01-01T10:00:00Z"/)
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
