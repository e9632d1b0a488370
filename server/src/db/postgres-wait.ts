import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { messageOf } from '../errors/message-of.ts'
import { DatabaseUnavailable } from './errors.ts'
import { isLasting } from './postgres-errors.ts'

/** Between two tries, ms. */
const betweenTries = 500

interface Waiting {
  /** `Postgres at HOST:PORT/DATABASE` */
  readonly named: string
  /** Longest to wait, ms; 0 tries once. */
  readonly longest: number
  readonly log: Logger | undefined
}

/**
 * Waits until a Postgres answers, as at a start next to it. What only people can mend, such as a wrong
 * password or a database that is missing, is thrown at once.
 */
export async function waitForPostgres(
  ask: () => Promise<void>,
  { named, longest, log }: Waiting,
): Promise<void> {
  const seconds = longest / 1000
  const end = performance.now() + longest
  for (let tries = 1; ; tries++) {
    try {
      await ask()
      if (tries > 1) log?.info(`${named} answers`)
      return
    } catch (error) {
      if (isLasting(error)) throw error
      if (performance.now() >= end) throw longest > 0 ? tooLate(error, seconds) : error
      if (tries === 1) {
        log?.warn({ reason: messageOf(error) }, `waiting for ${named}, ${seconds} s at most`)
      }
    }
    await pause(betweenTries)
  }
}

function tooLate(error: unknown, seconds: number): Error {
  const reason = messageOf(error).replace(/^The database is unavailable: /, '')
  return new DatabaseUnavailable(`for ${seconds} s, ${reason}`, error)
}
