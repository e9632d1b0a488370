import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { ceilingMs, longStuckMs, stuckMs } from './test/support/waiting.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

const alias = [
  { find: /^@skillpass\/client$/, replacement: `${root}client-sdk/src/index.ts` },
  { find: /^@skillpass\/client\/node$/, replacement: `${root}client-sdk/src/node/index.ts` },
]

export default defineConfig({
  resolve: { alias },
  test: {
    // `npm run test:long` sets TEST_LONG and names the files that it runs.
    include: ['test/**/*.test.ts', ...(process.env.TEST_LONG ? ['test/**/*.long.ts'] : [])],
    environment: 'node',
    // Run the server and the contract from their builds, without a transform.
    server: { deps: { external: [/\/(contract|server)\/dist\//] } },
    // Test files of one worker share their imports.
    isolate: false,
    globalSetup: ['./test/support/vitest/run-folder.ts'],
    setupFiles: ['./test/support/vitest/setup.ts'],
    // One more than cores, because files often wait for sockets and timers.
    maxWorkers: availableParallelism() + 1,
    // No test cuts the power of Postgres, so commits need not wait for the disk.
    env: { PGOPTIONS: '-c synchronous_commit=off' },
    testTimeout: process.env.TEST_LONG ? longStuckMs : stuckMs,
    hookTimeout: stuckMs,
    expect: { poll: { timeout: ceilingMs } },
    reporters: ['default', './test/support/vitest/reporter.ts'],
  },
})
