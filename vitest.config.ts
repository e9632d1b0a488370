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
    // The server and the contract run as they were built, untransformed and at their own speed.
    server: { deps: { external: [/\/(contract|server)\/dist\//] } },
    // The files of a worker share what they import.
    isolate: false,
    globalSetup: ['./test/support/vitest/run-folder.ts'],
    setupFiles: ['./test/support/vitest/setup.ts'],
    // One more than cores: while a file waits for a socket or a timer, another has its core.
    maxWorkers: availableParallelism() + 1,
    // No test takes the power from Postgres: its commits need not wait for the disk.
    env: { PGOPTIONS: '-c synchronous_commit=off' },
    testTimeout: process.env.TEST_LONG ? longStuckMs : stuckMs,
    hookTimeout: stuckMs,
    expect: { poll: { timeout: ceilingMs } },
    reporters: ['default', './test/support/vitest/reporter.ts'],
  },
})
