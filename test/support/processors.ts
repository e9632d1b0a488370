import { availableParallelism } from 'node:os'

/** Ends the titles of tests that need a second processor, and are skipped where there is none. */
export const oneProcessor = availableParallelism() === 1 ? ' (skipped: one processor)' : ''
