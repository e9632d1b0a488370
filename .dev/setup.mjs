// Installs missing dependencies and builds. With the argument `start`, it installs only what
// building and serving need. It runs before anything is installed, so it is plain JavaScript
// without dependencies.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const locked = `${root}package-lock.json`
/** List of the packages in node_modules, which npm writes when it ends. */
const installed = `${root}node_modules/.package-lock.json`
/** What this script installed last: a hash of each lock file, the platform and the parts. */
const stampFile = `${root}node_modules/.skillpass-setup.json`
const platform = `${process.platform} ${process.arch} ${process.versions.modules}`

const parts = installedParts()
const step = 'Installing dependencies (compiling the database driver may take minutes)'
const servedWorkspaces = ['contract', 'server', 'client-sdk'].map((name) => `--workspace=${name}`)
if (parts === 'none') {
  // What the tests need stays installed.
  const isPart = isStart && !existsSync(`${root}node_modules/vitest`)
  install(
    isPart ? 'start' : 'all',
    step,
    'ci',
    ...(isPart ? [...servedWorkspaces, '--include-workspace-root'] : []),
  )
} else if (!isStart && parts === 'start') {
  // `npm ci` would first remove everything that `npm start` installed and compiled.
  install('all', 'Installing dependencies of tests and checks', 'install', '--no-save')
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

/** Returns which parts of the locked packages are installed: `all`, `start` or `none`. */
function installedParts() {
  const stamp = readJson(stampFile)
  const packages = readJson(installed)?.packages ?? {}
  // A cache may have lost the packages in node_modules of a workspace.
  if (!Object.keys(packages).every((path) => existsSync(root + path))) return 'none'
  // After npm has run without this script, the stamp describes nothing.
  if (stamp?.installed !== hashOf(installed)) {
    return isComplete(packages) && driverLoads() ? 'all' : 'none'
  }
  const isCurrent = stamp.locked === hashOf(locked) && stamp.platform === platform
  return isCurrent ? stamp.parts : 'none'
}

/** Returns whether npm has installed every locked package, except those for other platforms. */
function isComplete(packages) {
  return Object.entries(readJson(locked).packages).every(
    ([path, { version, optional }]) =>
      optional || !path.includes('node_modules/') || packages[path]?.version === version,
  )
}

/** Returns whether the compiled database driver fits this Node.js. */
function driverLoads() {
  const script = `new (require('better-sqlite3'))(':memory:')`
  return spawnSync(process.execPath, ['-e', script], { cwd: root }).status === 0
}

function install(what, step, ...args) {
  rmSync(stampFile, { force: true })
  run(step, ...args)
  const stamp = { locked: hashOf(locked), installed: hashOf(installed), platform, parts: what }
  writeFileSync(stampFile, JSON.stringify(stamp))
}

function hashOf(path) {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : ''
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
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
