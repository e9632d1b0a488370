/**
 * Runs the tests of the client, the commands and a server under the other versions of Node.js that are
 * supported, as the npm package `node` brings them:
 *
 *   npm run test:node-versions [-- VERSION…] [-- --after FILE]
 *
 * The last line is "N passed, N failed, N skipped"; with `--after`, added to the last line of that file.
 * A version that cannot be had here counts as one that was skipped.
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { makeFolder } from '../support/cleanup.ts'
import { CannotBeHad, installNode } from '../support/installed-node.ts'
import { addCounts, type Counts, none, readCounts } from './counts.ts'
import { runTests } from './run-tests.ts'

const supported = ['20.20.2', '22.23.3', '24.21.0']

const majorOf = (version: string) => version.split('.')[0]

const {
  positionals: wanted,
  values: { after },
} = parseArgs({ allowPositionals: true, options: { after: { type: 'string' } } })
const versions = supported.filter((version) =>
  wanted.length > 0
    ? wanted.includes(version)
    : majorOf(version) !== majorOf(process.versions.node),
)
let counts = after === undefined ? none : readCounts(await readFile(after, 'utf8'))

async function testUnder(version: string): Promise<Counts> {
  const folder = await makeFolder()
  try {
    const node = await installNode(version, folder.path)
    return await runTests(node, folder.path)
  } catch (error) {
    if (!(error instanceof CannotBeHad)) throw error
    console.log(`Skipped: tests under Node.js ${version}, because ${error.message}.`)
    return { ...none, skipped: 1 }
  } finally {
    await folder.remove()
  }
}

for (const version of versions) {
  const started = performance.now()
  counts = addCounts(counts, await testUnder(version))
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`Tests under Node.js ${version}: ${seconds} s`)
}
if (counts.failed > 0) process.exitCode = 1
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
