import { defineConfig } from 'vitest/config'

/** Tests run the TypeScript sources: the workspaces' own export condition leads to `src`. */
export default defineConfig({
  resolve: { conditions: ['@skillpass/source', 'module', 'node'] },
  ssr: { resolve: { conditions: ['@skillpass/source', 'module', 'node'] } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
