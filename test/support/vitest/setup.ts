import { setPasswordCost } from '@skillpass/server/testing'
import { configureGlobal } from 'fast-check'
import { afterAll } from 'vitest'
import { endFile } from '../cleanup.ts'
import { seed } from '../rounds.ts'

setPasswordCost('low')

configureGlobal({ seed })

// Registered before the file's own hooks, so it runs after them.
afterAll(endFile)
