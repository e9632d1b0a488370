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

/** Time limits of a probe for the connection and for the response, ms. */
const probeMs = { connect: 1_000, query: 500 }
/** Pause between probes during an outage, and between attempts of a start, ms. */
const betweenProbes = 250
const betweenTries = 500

export type Away = ReturnType<typeof createAway>

/** Tracks outages of Postgres. During an outage, requests fail at once until a probe succeeds. */
export function createAway(
  config: ClientConfig,
  place: PostgresPlace,
  { onAway, onBack }: { onAway(reason: string): void; onBack(): void },
) {
  const closing = new AbortController()
  let outage: DatabaseUnavailable | undefined
  let probing: Promise<void> | undefined

  async function probe(): Promise<void> {
    const { connect, query } = probeMs
    const limits = { connectionTimeoutMillis: connect, query_timeout: query }
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

  const probeOnce = () => {
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
      await probeOnce().then(
        () => {
          outage = undefined
        },
        () => {},
      )
    }
    onBack()
  }

  /** Throws `DatabaseUnavailable` while the database is unavailable or after it is closed. */
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
      await probeOnce()
    },
    /** Returns the error to throw for a failure. If Postgres did not respond, probes it first. */
    failureOf: async (error: unknown): Promise<unknown> => {
      const failure = translatePostgres(error, place)
      if (isAnswer(error) || closing.signal.aborted) return failure
      await probeOnce().catch((probeError: unknown) => {
        // A database that is out of connections still serves other clients.
        if (outage || isFull(probeError) || closing.signal.aborted) return
        outage =
          probeError instanceof DatabaseUnavailable
            ? probeError
            : new DatabaseUnavailable(String(probeError), probeError)
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
 * Waits up to `longest` ms until Postgres responds; 0 tries once. Problems that waiting cannot
 * solve, such as a wrong password or a missing database, are thrown at once.
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
      if (tries > 1) log?.info(`${named} responds`)
      return
    } catch (error) {
      if (longest === 0 || isLasting(error)) throw error
      if (performance.now() >= end) {
        const reason = messageOf(error).replace(/^The database is unavailable: /, '')
        throw new DatabaseUnavailable(`for ${seconds} s, ${reason}`, error)
      }
      if (tries === 1) {
        log?.warn({ reason: messageOf(error) }, `waiting for ${named} for up to ${seconds} s`)
      }
    }
    await pause(betweenTries)
  }
}
