import { afterAll } from 'vitest'
import { endFile } from './after-file.ts'
import { lowerPasswordCost } from './password-cost.ts'

lowerPasswordCost()

// Runs for each file, before the file's own hooks are registered, and so after them.
afterAll(endFile)
