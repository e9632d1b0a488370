import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { approveDevice, authorizeCode, signIn } from '../support/people.ts'
import { root } from '../support/processes.ts'

const server = await startDemoServer()
const credentials = server.output().match(/^ {2}export .*$/gm) ?? []
const readme = await readFile(join(root, 'README.md'), 'utf8')

/** The README's commands below these words, for the server of this test. */
function commandsBelow(words: string): string {
  const [, block = ''] = /```sh\n(.*?)```/s.exec(readme.slice(readme.indexOf(words))) ?? []
  return block.replaceAll('localhost:3000', `localhost:${server.port}`)
}

// npx keeps its logs in the home folder.
const home = await temporaryFolder()

/** Pastes the printed lines and then scripts into one shell; returns what each of them prints, by name. */
async function shell<Name extends string>(scripts: Record<Name, string>) {
  const names = Object.keys(scripts)
  const pasted = Object.values<string>(scripts).map((script) => `printf '\\036'\n${script}`)
  const lines = ['set -e', ...credentials, ...pasted]
  const env = { PATH: process.env.PATH, HOME: home, SKILLPASS_URL: server.url }
  const options = { cwd: root, env }
  const { stdout } = await promisify(execFile)('bash', ['-c', lines.join('\n')], options)
  const printed = stdout.split('\u001e').slice(1)
  return Object.fromEntries(names.map((name, at) => [name, printed[at] ?? '']))
}

test('npm start prints at most ten lines before its log, with credentials to paste', () => {
  expect(credentials).toHaveLength(5)
  expect(server.output().trim().split('\n').length).toBeLessThanOrEqual(10)
})

test("the README's commands work as pasted, with the credentials that npm start prints", async () => {
  const registry = ['**Register**', '**Publish**', '**Resolve**'].map(commandsBelow).join('\n')
  const [authorize = '', ...exchange] = commandsBelow('**User**').split('\n')
  const [connect = '', ...poll] = commandsBelow('**Device**').split('\n')
  const first = await shell({
    registry,
    account: commandsBelow('**Account**'),
    chatbot: commandsBelow('**Chatbot**'),
    authorize,
    connect,
  })
  expect(first.registry).toContain('"slug":"tide-table-reader"')
  expect(first.registry).toMatch(/# Tide tables\n\n1\. Find the table/)
  expect(first.account).toContain('"email":"owner@acme.test"')
  expect(first.account).toMatch(/"topic":"Planning".*"start_time":"2030-01-01T10:00:00Z"/)
  expect(first.chatbot).toMatch(/"to_jid":"user@acme"/)

  const { password, emails } = server
  expect(emails).toHaveLength(3)
  const signedIn = await Promise.all(emails.map((email) => signIn(server, { email, password })))
  const [owner, , member] = signedIn
  if (!owner || !member) throw new Error('The server printed fewer than three people.')
  const { searchParams } = new URL(first.authorize?.trim() ?? '')
  const parameters = {
    client_id: String(searchParams.get('client_id')),
    redirect_uri: String(searchParams.get('redirect_uri')),
  }
  const { code } = await authorizeCode(owner, parameters)
  const { user_code, device_code } = JSON.parse(first.connect ?? '')
  expect(await approveDevice(member, user_code)).toBe(200)
  const second = await shell({
    exchange: `CODE=${code}\n${exchange.join('\n')}`,
    poll: `DEVICE_CODE=${device_code}\n${poll.join('\n')}`,
  })
  expect(second.exchange).toContain('"refresh_token":"')
  expect(second.poll).toContain('"refresh_token":"')
})
