import { configureGlobal } from 'fast-check'
import { afterAll } from 'vitest'
import { endFile } from '../cleanup.ts'
import { lowerPasswordCost } from '../settings.ts'

lowerPasswordCost()

// Properties are tried on other values in every run, but on the same in CI, which judges a change by
// what it changed. A long counterexample is not made shorter for ever.
configureGlobal({
  ...(process.env.CI ? { seed: 20_261_125 } : {}),
  interruptAfterTimeLimit: 60_000,
})

// Runs for each file, before the file's own hooks are registered, and so after them.
afterAll(endFile)
