// Makes a fresh clone ready: installs what is missing and builds. With `start`, only what it takes to
// build and to serve. Runs before anything is installed, so it is plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isStart = process.argv[2] === 'start'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Skillpass needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
}

// Before the minutes that an installation may take.
if (isStart) await checkPort()

const installed = `${root}node_modules/.package-lock.json`
const isCurrent =
  existsSync(installed) &&
  statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs
const what = 'Installing dependencies (the database driver may be compiled, which takes minutes)'
const served = ['contract', 'server', 'client-sdk'].map((name) => `--workspace=${name}`)
if (!isCurrent) {
  run(what, 'ci', ...(isStart ? [...served, '--include-workspace-root'] : []))
} else if (!isStart && !existsSync(`${root}node_modules/vitest`)) {
  // `npm ci` would begin with the removal of what `npm start` has installed and compiled.
  run('Installing what tests and checks need', 'install', '--no-save')
}
run('Building', 'run', 'build', '--silent')

async function checkPort() {
  const port = Number(process.env.PORT || 3000)
  const host = process.env.HOST || '127.0.0.1'
  // Anything else that is wrong with them is said by the server.
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return
  const probe = createServer()
  try {
    await once(probe.listen(port, host), 'listening')
  } catch (error) {
    if (error.code === 'EADDRINUSE') {
      fail(`Port ${port} of ${host} is already in use. Set PORT to a free one.`)
    }
  }
  probe.close()
}

function run(what, ...args) {
  console.log(`${what} …`)
  const { status } = spawnSync('npm', args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail(`${what} failed: npm ${args.join(' ')}`)
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
