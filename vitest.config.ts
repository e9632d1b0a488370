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
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/support/reporter.ts'],
  },
})
