import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'
import { startDemoServer } from '../support/demo-server.ts'
import { approveDevice, authorizeCode, signIn } from '../support/people.ts'
import { root } from '../support/processes.ts'

const run = promisify(execFile)

describe('what npm start prints and the README’s commands', async () => {
  const server = await startDemoServer()
  const credentials = server.output().match(/^ {2}export .*$/gm) ?? []

  const readme = await readFile(join(root, 'README.md'), 'utf8')
  /** The commands below these words, against the server of this test. */
  const commands = (words: string) => {
    const [, block = ''] = /```sh\n(.*?)```/s.exec(readme.slice(readme.indexOf(words))) ?? []
    return block.replaceAll('localhost:3000', `localhost:${server.port}`)
  }
  // npx keeps its logs in the home.
  const home = await temporaryFolder()
  /** What the shell prints for them, after the printed lines were pasted. */
  const shell = async (script: string) => {
    const lines = ['set -e', ...credentials, script]
    const env = { PATH: process.env.PATH, HOME: home, SKILLPASS_URL: server.url }
    const { stdout } = await run('bash', ['-c', lines.join('\n')], { cwd: root, env })
    return stdout
  }

  test('are at most ten lines before the log begins', () => {
    expect(credentials).toHaveLength(5)
    expect(server.output().trim().split('\n').length).toBeLessThanOrEqual(10)
  })

  test('register, publish, resolve and fetch', async () => {
    const script = ['**Register**', '**Publish**', '**Resolve**'].map(commands).join('\n')
    const printed = await shell(script)
    expect(printed).toContain('"slug":"tide-table-reader"')
    expect(printed).toMatch(/# Tide tables\n\n1\. Find the table/)
  })

  test('get a token for the account and make a meeting with it', async () => {
    const printed = await shell(commands('**Account**'))
    expect(printed).toContain('"email":"owner@testAccounts.test"')
    expect(printed).toMatch(/"topic":"Planning".*"start_time":"2030-01-01T10:00:00Z"/)
  })

  test('send a user to the consent page and exchange the code', async () => {
    const script = commands('**User**')
    const address = await shell(script.split('\n')[0] ?? '')
    const { client_id, redirect_uri } = Object.fromEntries(new URL(address.trim()).searchParams)
    const [email = ''] = server.emails
    const session = await signIn(server, { email, password: server.password })
    const parameters = { client_id: String(client_id), redirect_uri: String(redirect_uri) }
    const { code } = await authorizeCode(session, parameters)
    expect(await shell(`CODE=${code}\n${script}`)).toContain('"refresh_token":"')
  })

  test('connect a device', async () => {
    const [ask = '', ...poll] = commands('**Device**').split('\n')
    const { user_code, device_code } = JSON.parse(await shell(ask))
    const session = await signIn(server, {
      email: server.emails[2] ?? '',
      password: server.password,
    })
    expect(await approveDevice(session, user_code)).toBe(200)
    const printed = await shell(`DEVICE_CODE=${device_code}\n${poll.join('\n')}`)
    expect(printed).toContain('"refresh_token":"')
  })

  test('send a message as a chatbot', async () => {
    expect(await shell(commands('**Chatbot**'))).toMatch(/"to_jid":"user@testAccounts"/)
  })

  test('sign every person in', async () => {
    expect(server.emails).toHaveLength(3)
    for (const email of server.emails) await signIn(server, { email, password: server.password })
  })
})
