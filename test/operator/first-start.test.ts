import { spawnSync } from 'node:child_process'
import { chmod, cp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder, writeFiles } from '../support/cleanup.ts'
import { serveHttp } from '../support/http-server.ts'
import { freePort, root } from '../support/processes.ts'

const setup = `${root}/.dev/setup.mjs`

test('npm start fails on a used port before it installs or builds', async () => {
  const { port } = new URL((await serveHttp(() => {})).url)
  const env = { PATH: process.env.PATH, PORT: port }
  const { status, stdout, stderr } = spawnSync(process.execPath, [setup, 'start'], {
    env,
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: '',
    stderr: `Port ${port} on 127.0.0.1 is already in use. Set PORT to a free port.\n`,
  })
})

/**
 * A stand-in for npm that copies the locked packages, without those of the tests for `--workspace`.
 */
const npm = `#!/usr/bin/env node
const fs = require('node:fs')
const [command, ...options] = process.argv.slice(2)
if (command === 'run') process.exit()
fs.appendFileSync('npm.log', process.argv.slice(2, 4).join(' ') + '\\n')
if (command === 'ci') fs.rmSync('node_modules', { recursive: true, force: true })
const { packages } = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'))
const isWanted = ([path, { optional }]) =>
  path !== '' && !optional && !(path.endsWith('vitest') && options.some((it) => it.startsWith('--workspace')))
const wanted = Object.entries(packages).filter(isWanted)
for (const [path] of wanted) {
  fs.mkdirSync(path, { recursive: true })
  fs.writeFileSync(path + '/index.js', 'module.exports = class {}')
}
fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(wanted) }))
`

const lockFile = (version: string) =>
  JSON.stringify({
    packages: {
      '': { version: '0.2.0' },
      'node_modules/better-sqlite3': { version },
      'node_modules/other-platform': { version, optional: true },
      'node_modules/vitest': { version },
      'server/node_modules/cookie': { version },
    },
  })

/** Creates a checkout with a stand-in for npm. */
async function newCheckout() {
  const folder = await temporaryFolder()
  await writeFiles(folder, { 'bin/npm': npm, 'package-lock.json': lockFile('1.0.0') })
  await cp(setup, join(folder, '.dev/setup.mjs'))
  await chmod(join(folder, 'bin/npm'), 0o755)
  const port = String(await freePort())
  const env = { PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`, PORT: port }
  /** Runs a script in a checkout; returns the installations by npm. */
  const installs = async (script: string, ...args: string[]) => {
    await writeFile(join(folder, 'npm.log'), '')
    const { status, stderr } = spawnSync(script, args, { cwd: folder, env, encoding: 'utf8' })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return (await readFile(join(folder, 'npm.log'), 'utf8')).split('\n').slice(0, -1)
  }
  return {
    folder,
    npm: (...args: string[]) => installs(join(folder, 'bin/npm'), ...args),
    start: () => installs(process.execPath, '.dev/setup.mjs', 'start'),
    test: () => installs(process.execPath, '.dev/setup.mjs'),
    lock: (version: string) => writeFile(join(folder, 'package-lock.json'), lockFile(version)),
  }
}

const part = 'ci --workspace=contract'

test('npm start and npm test install only missing parts, and a changed lock file keeps the tests installed', async () => {
  const { start, test, lock } = await newCheckout()
  expect([await start(), await start(), await test()]).toEqual([[part], [], ['install --no-save']])
  expect([await start(), await test()]).toEqual([[], []])
  await lock('2.0.0')
  expect([await start(), await test(), await start()]).toEqual([['ci'], [], []])
  await lock('3.0.0')
  expect([await test(), await start()]).toEqual([['ci'], []])
})

test('npm start and npm test install nothing into a copied, restored or user-installed node_modules', async () => {
  const { folder, npm, start, test, lock } = await newCheckout()
  const touch = () => utimes(join(folder, 'package-lock.json'), new Date(), Date.now() / 1000 + 60)
  await start()
  await touch()
  expect(await start()).toEqual([])
  await test()
  await touch()
  expect([await start(), await test()]).toEqual([[], []])
  await npm('ci')
  await touch()
  expect([await test(), await start()]).toEqual([[], []])
  await lock('2.0.0')
  await npm('install')
  await touch()
  expect([await start(), await test()]).toEqual([[], []])
  await rm(join(folder, 'server/node_modules'), { recursive: true })
  expect([await start(), await start()]).toEqual([['ci'], []])
})
