import { configureGlobal } from 'fast-check'
import { afterAll } from 'vitest'
import { endFile } from '../cleanup.ts'
import { seed } from '../rounds.ts'
import { lowerPasswordCost } from '../settings.ts'

lowerPasswordCost()

configureGlobal({ seed })

// Runs for each file, before the file's own hooks are registered, and so after them.
afterAll(endFile)
