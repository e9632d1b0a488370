import { defineConfig } from 'vitest/config'

/** Tests run the TypeScript sources: the workspaces' own export condition leads to `src`. */
export default defineConfig({
  resolve: { conditions: ['@skillpass/source', 'module', 'node', 'import'] },
  ssr: { resolve: { conditions: ['@skillpass/source', 'module', 'node', 'import'] } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
