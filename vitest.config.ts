import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/vitest/longest-first.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

// Tests run the built server, as Node imports it: nothing is transformed, and it runs at its own speed.
const compiler = `${root}node_modules/typescript/bin/tsc`
const packages = ['contract', 'server']
spawnSync(process.execPath, [compiler, '-b', ...packages], { cwd: root, stdio: 'inherit' })

const alias = [
  { find: /^@skillpass\/client$/, replacement: `${root}client-sdk/src/index.ts` },
  { find: /^@skillpass\/client\/node$/, replacement: `${root}client-sdk/src/node/index.ts` },
]

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    server: { deps: { external: [/\/(contract|server)\/dist\//] } },
    // Files of one worker share what they import; each makes its own servers and databases.
    isolate: false,
    setupFiles: ['./test/support/setup.ts'],
    // One more than cores: while a file waits for a socket or a timer, another has its core.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // No test takes the power from Postgres: its commits need not wait for the disk.
    env: { PGOPTIONS: '-c synchronous_commit=off' },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is awaited comes within a second; test files share their cores.
    expect: { poll: { timeout: 5_000 } },
    reporters: ['default', './test/support/reporter.ts'],
  },
})
