// Installs missing dependencies and builds. With the argument `start`, it installs only what building and
// serving need. It runs before anything is installed, so it is plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const isStart = process.argv[2] === 'start'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Skillpass needs Node.js 20.19 or newer. You have ${process.versions.node}.`)
}

// Check first: an installation may take minutes.
if (isStart) await checkPort()

const installed = `${root}node_modules/.package-lock.json`
const isCurrent =
  existsSync(installed) &&
  statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs
const step = 'Installing dependencies (compiling the database driver may take minutes)'
const servedWorkspaces = ['contract', 'server', 'client-sdk'].map((name) => `--workspace=${name}`)
if (!isCurrent) {
  run(step, 'ci', ...(isStart ? [...servedWorkspaces, '--include-workspace-root'] : []))
} else if (!isStart && !existsSync(`${root}node_modules/vitest`)) {
  // `npm ci` would first remove everything that `npm start` installed and compiled.
  run('Installing dependencies of tests and checks', 'install', '--no-save')
}
run('Building', 'run', 'build', '--silent')

async function checkPort() {
  const port = Number(process.env.PORT || 3000)
  const host = process.env.HOST || '127.0.0.1'
  // The server reports other invalid values.
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return
  const probe = createServer()
  try {
    await once(probe.listen(port, host), 'listening')
  } catch (error) {
    if (error.code === 'EADDRINUSE') {
      fail(`Port ${port} on ${host} is already in use. Set PORT to a free port.`)
    }
  }
  probe.close()
}

function run(step, ...args) {
  console.log(`${step} …`)
  const { status } = spawnSync('npm', args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail(`${step} failed: npm ${args.join(' ')}`)
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
