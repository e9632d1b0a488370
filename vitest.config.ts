import { defineConfig } from 'vitest/config'

/** Tests run the TypeScript sources: the workspaces' own export condition leads to `src`. */
const conditions = ['@skillpass/source', 'module', 'node']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    // One for each core: on two, leaving one out would leave half the machine idle.
    maxWorkers: '100%',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // What is awaited comes within a second; test files share their cores.
    expect: { poll: { timeout: 5_000 } },
    reporters: ['default', './test/support/reporter.ts'],
  },
})
