import { setTimeout as pause } from 'node:timers/promises'
import { RateLimitedError } from '../errors.ts'
import type { Terminal } from './command.ts'

/** Longest time in all that a registry may make one call wait, seconds: a quota of a day is not waited for. */
const longestWait = 900

/** Calls again after a rate limit, as often and as late as the registry says. */
export async function patiently<T>(terminal: Terminal, call: () => Promise<T>): Promise<T> {
  for (let waited = 0; ; ) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error
      const wait = Math.max(1, error.retryAfter ?? 1)
      waited += wait
      if (waited > longestWait) throw error
      if (wait > 3) terminal.warn(`Waiting ${wait} seconds, as the registry asks.\n`)
      await pause(wait * 1000)
    }
  }
}
