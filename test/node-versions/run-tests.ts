import { execFile, spawn } from 'node:child_process'
import { access, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import type { InstalledNode } from '../support/installed-node.ts'
import { root } from '../support/processes.ts'
import { type Counts, readCounts } from './counts.ts'

const run = promisify(execFile)

/** What needs nothing that is compiled for one version of Node.js. */
const clientTests = ['test/unit/client']

/** The client and the commands against servers, and servers in processes of their own. */
const serverTests = [
  'test/sdk/install',
  'test/sdk/meetings.test.ts',
  'test/sdk/oauth-flows.test.ts',
  'test/sdk/readme-commands.test.ts',
  'test/sdk/webhook-receiver.test.ts',
  'test/operator/process.test.ts',
  'test/attacks/secrets/config.test.ts',
]

/** Runs the tests under a Node.js, in a copy of this checkout below a folder. */
export async function runTests(node: InstalledNode, folder: string): Promise<Counts> {
  const checkout = await copyCheckout(join(folder, 'checkout'))
  const missing = await buildDriver(checkout, node)
  if (missing !== undefined) {
    console.log(`Skipped: servers under Node.js ${node.version}, because ${missing}.`)
  }
  const tests = missing === undefined ? [...clientTests, ...serverTests] : clientTests
  const vitest = join(checkout, 'node_modules/vitest/vitest.mjs')
  const child = spawn(join(node.bin, 'node'), [vitest, 'run', ...tests], {
    cwd: checkout,
    // Commands that tests run by their names are to find this Node.js too.
    env: { ...process.env, PATH: `${node.bin}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    process.stdout.write(text)
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  const counts = readCounts(printed)
  // A run can fail although every test passed.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/** Files that nothing writes to are shared with this checkout, which takes a second. */
async function copyCheckout(to: string): Promise<string> {
  const script = `mkdir "$1" && for each in * .[a-z]*; do
      case $each in .git | data) ;; node_modules) cp -al "$each" "$1/" 2> /dev/null || cp -a "$each" "$1/" ;;
      *) cp -a "$each" "$1/" ;; esac; done`
  await run('sh', ['-ec', script, 'sh', to], { cwd: root })
  return to
}

/**
 * Compiles the database driver of a copy for a Node.js: its own file alone, over the SQLite that was
 * compiled at the installation. Says why where that cannot be done.
 */
async function buildDriver(checkout: string, node: InstalledNode): Promise<string | undefined> {
  const driver = join(checkout, 'node_modules/better-sqlite3')
  const built = join(driver, 'build/Release')
  const sqlite = join(built, 'sqlite3.a')
  const hasSqlite = await access(sqlite).then(
    () => true,
    () => false,
  )
  if (!hasSqlite) return 'the database driver was installed without its parts'
  const hasCompiler = await run('g++', ['--version']).then(
    () => true,
    () => false,
  )
  if (!hasCompiler) return 'there is no g++ to compile the database driver'
  // From 24.19 on this header aborts the process when what it wraps is collected: nodejs/node#65446.
  const wrap = join(node.headers, 'node_object_wrap.h')
  await run('sed', ['-i', '/^ *\\(Add\\|Remove\\)CleanupHook();$/d', wrap])
  const output = join(built, 'better_sqlite3.node')
  // Shared with this checkout until now.
  await rm(output)
  await run('g++', [
    ...['-shared', '-fPIC', '-pthread', '-std=c++20', '-fno-rtti', '-fno-exceptions'],
    ...['-DNODE_GYP_MODULE_NAME=better_sqlite3', '-DBUILDING_NODE_EXTENSION', '-DNDEBUG'],
    ...[`-I${node.headers}`, `-I${join(built, 'obj/gen/sqlite3')}`],
    join(driver, 'src/better_sqlite3.cpp'),
    ...[sqlite, '-Wl,-Bsymbolic', '-Wl,--exclude-libs,ALL', '-o', output],
  ])
  return undefined
}
