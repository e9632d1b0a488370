import { execFile } from 'node:child_process'
import { access, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder } from '../support/cleanup.ts'
import { InstallationFailed, type InstalledNode, installNode } from '../support/installed-node.ts'
import { root } from '../support/processes.ts'
import { addCounts, none, type Result, runVitest } from './run-vitest.ts'

const run = promisify(execFile)

/** The supported Node.js versions, from the npm package `node`. */
const supported = ['20.20.2', '22.23.3', '24.21.0']

/** Tests without native code. */
const clientTests = ['test/sdk/client']

/** Tests of the client and the commands with a server, and of server processes. */
const serverTests = [
  'test/sdk/install',
  'test/sdk/oauth-flows.test.ts',
  'test/sdk/oauth-examples.test.ts',
  'test/documentation/commands.test.ts',
  'test/operator/process.test.ts',
  'test/attacks/secrets/config.test.ts',
]

const majorOf = (version: string) => version.split('.')[0]

/** Runs these tests on every other supported version, except versions that cannot be installed. */
export async function testNodeVersions(): Promise<Result> {
  let counts = none
  const figures: string[] = []
  let printed = ''
  const others = supported.filter((version) => majorOf(version) !== majorOf(process.versions.node))
  for (const version of others) {
    const folder = await makeFolder()
    try {
      const node = await installNode(version, folder.path)
      const result = await testOn(node, folder.path, (figure) => figures.push(figure))
      counts = addCounts(counts, result.counts)
      printed += result.printed
      figures.push(`Node.js ${version}: ${result.counts.passed} tests passed`)
    } catch (error) {
      if (!(error instanceof InstallationFailed)) throw error
      figures.push(`Skipped: Node.js ${version}, because ${error.message}`)
      counts = addCounts(counts, { ...none, skipped: 1 })
    } finally {
      await folder.remove()
    }
  }
  return { counts, figures, printed }
}

/** Runs the tests with a Node.js in a copy of this checkout. */
async function testOn(
  node: InstalledNode,
  folder: string,
  report: (figure: string) => void,
): Promise<Result> {
  const checkout = await copyCheckout(join(folder, 'checkout'))
  const missing = await buildDriver(checkout, node)
  if (missing !== undefined) {
    report(`Skipped: servers on Node.js ${node.version}, because ${missing}`)
  }
  return runVitest({
    args: missing === undefined ? [...clientTests, ...serverTests] : clientTests,
    checkout,
    node: join(node.bin, 'node'),
    // Commands that tests run by name use this Node.js too.
    env: { PATH: `${node.bin}${delimiter}${process.env.PATH}` },
  })
}

/** Copies this checkout. Hard links share `node_modules`, so that it takes about a second. */
async function copyCheckout(to: string): Promise<string> {
  const script = `mkdir "$1" && for each in * .[a-z]*; do
      case $each in .git | data) ;; node_modules) cp -al "$each" "$1/" 2> /dev/null || cp -a "$each" "$1/" ;;
      *) cp -a "$each" "$1/" ;; esac; done`
  await run('sh', ['-ec', script, 'sh', to], { cwd: root })
  return to
}

/**
 * Compiles the database driver of a copy for a Node.js, and links the SQLite that was compiled at
 * the installation. Returns the reason if that is not possible.
 */
async function buildDriver(checkout: string, node: InstalledNode): Promise<string | undefined> {
  const driver = join(checkout, 'node_modules/better-sqlite3')
  const built = join(driver, 'build/Release')
  const sqlite = join(built, 'sqlite3.a')
  const hasSqlite = await access(sqlite).then(
    () => true,
    () => false,
  )
  if (!hasSqlite) return 'the database driver was installed without its object files'
  const hasCompiler = await run('g++', ['--version']).then(
    () => true,
    () => false,
  )
  if (!hasCompiler) return 'g++ is required to compile the database driver'
  // Since 24.19 this header aborts the process when a wrapped object is collected:
  // nodejs/node#65446.
  const wrap = join(node.headers, 'node_object_wrap.h')
  await run('sed', ['-i', '/^ *\\(Add\\|Remove\\)CleanupHook();$/d', wrap])
  const output = join(built, 'better_sqlite3.node')
  // Remove the hard link to the file of this checkout.
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
