// Makes a fresh clone ready: installs what is missing and builds. Runs before anything is installed,
// so it is plain JavaScript without dependencies.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Skillpass needs Node.js 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

const installed = `${root}node_modules/.package-lock.json`
const isCurrent =
  existsSync(installed) &&
  statSync(installed).mtimeMs >= statSync(`${root}package-lock.json`).mtimeMs
if (!isCurrent) {
  run('Installing dependencies (the database driver may be compiled, which takes minutes)', 'ci')
}
run('Building', 'run', 'build', '--silent')

function run(what, ...args) {
  console.log(`${what} …`)
  const { status } = spawnSync('npm', args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status === 0) return
  console.error(`${what} failed: npm ${args.join(' ')}`)
  process.exit(1)
}
