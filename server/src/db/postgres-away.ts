import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { messageOf } from '../errors/message-of.ts'
import { DatabaseUnavailable } from './errors.ts'
import {
  isAnswer,
  isFull,
  isLasting,
  type PostgresPlace,
  translatePostgres,
} from './postgres-errors.ts'

/** How long a probe may take to connect and then to be answered, ms. */
const probeMs = { connect: 1_000, answer: 500 }
/** Between two probes while the database is away, and between two tries of a start, ms. */
const betweenProbes = 250
const betweenTries = 500

export type Away = ReturnType<typeof createAway>

interface AwayOptions {
  readonly config: ClientConfig
  readonly place: PostgresPlace
  onAway(reason: string): void
  onBack(): void
}

/** Knows whether a Postgres is away: requests fail at once then, until a probe finds it again. */
export function createAway({ config, place, onAway, onBack }: AwayOptions) {
  const closing = new AbortController()
  let outage: DatabaseUnavailable | undefined
  let probing: Promise<void> | undefined

  async function probe(): Promise<void> {
    const { connect, answer } = probeMs
    const limits = { connectionTimeoutMillis: connect, query_timeout: answer }
    const client = new Client({ ...config, ...limits })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
    } catch (error) {
      throw translatePostgres(error, place)
    } finally {
      void client.end().catch(() => {})
    }
  }

  const ask = () => {
    probing ??= probe().finally(() => {
      probing = undefined
    })
    return probing
  }

  async function untilBack(): Promise<void> {
    while (outage) {
      try {
        await pause(betweenProbes, undefined, { signal: closing.signal, ref: false })
      } catch {
        return
      }
      await ask().then(
        () => {
          outage = undefined
        },
        () => {},
      )
    }
    onBack()
  }

  /** Throws `DatabaseUnavailable` while the database is away, or once it is closed. */
  function check(): void {
    if (closing.signal.aborted) throw new DatabaseUnavailable('it is closed')
    if (outage) throw outageError(outage)
  }

  return {
    isAway: () => outage !== undefined,
    check,
    /** Probes the database. Throws `DatabaseUnavailable`. */
    ping: async () => {
      check()
      await ask()
    },
    /** The error that a caller gets for a failure, after a probe if the database did not answer. */
    failureOf: async (error: unknown): Promise<unknown> => {
      const failure = translatePostgres(error, place)
      if (isAnswer(error) || closing.signal.aborted) return failure
      await ask().catch((silence: unknown) => {
        // A database that has no connection left serves others.
        if (outage || isFull(silence) || closing.signal.aborted) return
        outage =
          silence instanceof DatabaseUnavailable
            ? silence
            : new DatabaseUnavailable(String(silence), silence)
        onAway(outage.message)
        void untilBack()
      })
      return outage ? outageError(outage) : failure
    },
    close: () => closing.abort(),
  }
}

function outageError({ reason, cause }: DatabaseUnavailable): DatabaseUnavailable {
  const error = new DatabaseUnavailable(reason, cause)
  error.isOutage = true
  return error
}

/**
 * Waits until a Postgres answers, `longest` ms at most, as at a start next to it; 0 tries once. What only
 * people can mend, such as a wrong password or a database that is missing, is thrown at once.
 */
export async function waitForPostgres(
  { ping }: Pick<Away, 'ping'>,
  { named, longest, log }: { named: string; longest: number; log: Logger | undefined },
): Promise<void> {
  const seconds = longest / 1000
  const end = performance.now() + longest
  for (let tries = 1; ; tries++) {
    try {
      await ping()
      if (tries > 1) log?.info(`${named} answers`)
      return
    } catch (error) {
      if (longest === 0 || isLasting(error)) throw error
      if (performance.now() >= end) {
        const reason = messageOf(error).replace(/^The database is unavailable: /, '')
        throw new DatabaseUnavailable(`for ${seconds} s, ${reason}`, error)
      }
      if (tries === 1) {
        log?.warn({ reason: messageOf(error) }, `waiting for ${named}, ${seconds} s at most`)
      }
    }
    await pause(betweenTries)
  }
}
