import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { runSkillpass } from '../support/commands.ts'
import { root } from '../support/processes.ts'
import { exchange } from '../support/raw-http.ts'
import { addressOf } from '../support/skills.ts'
import { startProject } from '../support/stock-command.ts'
import { filesIn } from './installed-files.ts'
import { startServerWithPrivateSkill } from './private-skills.ts'
import { fetchInstallers } from './skills-versions.ts'

const { server, acme, skill, key } = await startServerWithPrivateSkill()
const script = `${root}client-sdk/bin/skillpass.js`
const environment = { SKILLPASS_URL: server.url, SKILLPASS_API_KEY: key }
const published = ['SKILL.md', 'new.md', 'scripts/run.sh']

/** Returns the text of every file in a folder. */
async function textsIn(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((name) => name.isFile())
  return (await Promise.all(files.map((f) => readFile(join(f.parentPath, f.name), 'utf8')))).join()
}

async function startProxy(): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', ...environment }
  const child = spawn(process.execPath, [script, 'proxy', '--port', '0', '--json'], { env })
  afterFile(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  })
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.includes('}')) break
  }
  return JSON.parse(text).url
}

const proxy = await startProxy()
const installers = await fetchInstallers()

test.each(installers.map((installer) => [installer.version, installer] as const))(
  'npx skills %s installs a private skill through the proxy, and not from the registry',
  async (_, installer) => {
    for (const path of [`/${acme.username}`, `/${acme.username}/skills`, addressOf(skill)]) {
      const add = (address: string) => ['add', address + path, '-y', '-a', 'claude-code']
      const denied = await startProject(installer)
      expect((await denied.run(add(server.url))).code).not.toBe(0)
      expect(await readdir(denied.folder)).toEqual([])
      const project = await startProject(installer)
      const { code, output } = await project.run(add(proxy))
      expect(code, output).toBe(0)
      const installed = await filesIn(join(project.folder, '.claude/skills/deploy'))
      expect(Object.keys(installed).sort()).toEqual(published)
      const written = await textsIn(project.folder)
      expect(written).not.toContain(key)
      expect(written).not.toContain(server.url)
    }
  },
)

test('skillpass add, install, verify, outdated and update need the key for a private skill', async () => {
  const address = addressOf(skill).slice(1)
  const [cwd, cache, home] = await Promise.all([1, 2, 3].map(() => temporaryFolder()))
  const env = { SKILLPASS_URL: server.url, SKILLPASS_CACHE: cache ?? '' }
  const run = (args: string[], more: object = { SKILLPASS_API_KEY: key }) =>
    runSkillpass(args, { cwd: cwd ?? '', env: { ...env, ...more } })
  const denied = await run(['add', address], {})
  expect(denied).toMatchObject({ code: 1, err: expect.stringContaining('does not exist') })
  expect(await run(['add', address])).toMatchObject({ code: 0, err: '' })
  for (const args of [['install', '--frozen'], ['verify'], ['outdated'], ['update']]) {
    expect(await run(args), args.join(' ')).toMatchObject({ code: 0, err: '' })
  }
  for (const args of [
    ['info', address],
    ['versions', address],
    ['fetch', address],
  ]) {
    expect(await run(args), args.join(' ')).toMatchObject({ code: 0, err: '' })
    expect((await run(args, {})).code, args.join(' ')).toBe(1)
  }
  expect((await run(['search', 'deploy'])).out).toContain(address)
  expect((await run(['search', 'deploy'], {})).out).not.toContain(address)
  // A login in the file is used without a variable.
  const login = { XDG_CONFIG_HOME: home ?? '' }
  const input = (async function* () {
    yield Buffer.from(key)
  })()
  await runSkillpass(['login'], { input, env: { ...env, ...login } })
  expect(await run(['verify'], login)).toMatchObject({ code: 0 })
  expect((await run(['verify'], {})).code).toBe(1)
  expect(await textsIn(cwd ?? '')).not.toContain(key)
  const cached = await readdir(cache ?? '', { recursive: true, withFileTypes: true })
  for (const { parentPath, name } of cached) {
    expect((await stat(join(parentPath, name))).mode & 0o077, name).toBe(0)
  }
  expect(cached.filter((one) => one.isFile())).toHaveLength(published.length)
})

test('the proxy serves only reads of installers, and no page of a browser', async () => {
  const index = `${addressOf(skill)}/.well-known/agent-skills/index.json`
  const { port } = new URL(proxy)
  const ask = async (head: string, line = `GET ${index}`) => {
    const text = `${line} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`
    return (await exchange(`http://127.0.0.1:${port}`, [text])).first.status
  }
  const host = `Host: localhost:${port}\r\n`
  expect(await ask(host)).toBe(200)
  expect(await ask(host, `HEAD ${index}`)).toBe(200)
  for (const head of [
    `Host: evil.test:${port}\r\n`,
    'Host: localhost\r\n',
    `${host}Origin: https://evil.test\r\n`,
    `${host}Origin: null\r\n`,
    `${host}Sec-Fetch-Site: cross-site\r\n`,
  ]) {
    expect(await ask(head), head).toBe(403)
  }
  for (const path of [
    '/api/v1/agents/me',
    '/api/v1/repos',
    '/',
    `${index}/../../../../api/v1/repos`,
  ]) {
    expect(await ask(host, `GET ${path}`), path).toBe(404)
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    expect(await ask(host, `${method} ${index}`), method).toBe(405)
  }
  const elsewhere = await exchange(`http://127.0.0.1:${port}`, [
    `GET http://evil.test${index} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
  ])
  expect(elsewhere.first.status).toBe(200)
  expect(elsewhere.first.body).not.toContain(server.url)
})

test('the proxy does not start without a key', async () => {
  const { code, err } = await runSkillpass(['proxy'], { env: { SKILLPASS_URL: server.url } })
  expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('not logged in') })
})
