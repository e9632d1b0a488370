import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { errorCode } from '../errors/error-code.ts'
import { messageOf } from '../errors/message-of.ts'
import { DatabaseUnavailable, lackOf, UniqueViolation } from './errors.ts'

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

/** Location of a Postgres database, without its password. */
interface PostgresPlace {
  /** `HOST:PORT/DATABASE` */
  readonly name: string
  readonly host: string
  readonly database: string
  readonly user: string
}

/** Converts errors of Postgres and its driver. Returns other errors unchanged. */
function translatePostgres(error: unknown, place: PostgresPlace): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error
  const code = errorCode(error)
  if (code === '23505') {
    const { table = '', detail = '' } = error as { table?: string; detail?: string }
    // "Key (repository_id, slug)=(…) already exists." The wording depends on the server's language.
    const columns = /\((.*?)\)=\(/.exec(detail)?.[1]?.replaceAll('"', '').split(', ') ?? []
    return new UniqueViolation(table, columns, error)
  }
  // Undefined table, column, or schema.
  if (/^(42P01|42703|3F000)$/.test(code)) return lackOf(error)
  // pg reports lost connections, its own timeouts and rejected TLS without a code.
  const symptom = code || error.message
  const advice = faults.find(([symptoms]) => symptoms.test(symptom))?.[1]
  if (!advice) return error
  const details = [error.message, code].filter(Boolean).join(', ')
  const reason = advice.replace(/\{(\w+)\}/g, (_, key: keyof PostgresPlace) => place[key])
  return new DatabaseUnavailable(`${reason} (${details})`, error)
}

/**
 * Whether an error is the response of a working Postgres: all with a code, except the classes 08
 * (connection), 53 (resources), 58 (system), 57P0x (shutdown or start) and 55000 (the database
 * accepts no connections).
 */
export const isAnswer = (error: unknown): boolean =>
  /^(?!08|53|58|57P0|55000)[0-9A-Z]{5}$/.test(codeOf(error))

/** Whether Postgres is out of connections. It still serves other clients. */
const isFull = (error: unknown): boolean => codeOf(error) === '53300'

/** Whether waiting cannot help: the password, role, database or certificate is wrong. */
const isLasting = (error: unknown): boolean =>
  /^(28...|3D000)$/.test(codeOf(error)) ||
  certificate.test(codeOf(error)) ||
  tls.test(wordsOf(error))

const causeOf = (error: unknown) => (error instanceof DatabaseUnavailable ? error.cause : error)
const codeOf = (error: unknown) => errorCode(causeOf(error))
const wordsOf = (error: unknown) => String(causeOf(error))

const tls = /does not support SSL|SSL connection/
const certificate = /CERT|UNABLE_TO_(GET|VERIFY)|^ERR_TLS_|^ERR_SSL_|^ERR_OSSL_/

/** Problems and remedies, with placeholders in braces. The first match applies. */
const faults: readonly (readonly [RegExp, string])[] = [
  [/^28P01$/, 'Postgres at {name} rejects the password of {user}. Correct it in DATABASE_URL.'],
  [
    /^28...$/,
    'Postgres at {name} does not accept the role {user}. Correct DATABASE_URL, or allow the role in pg_hba.conf.',
  ],
  [
    /^3D000$/,
    'the database {name} does not exist. Create it with `createdb {database}`, or correct DATABASE_URL.',
  ],
  [
    /^53300$/,
    'Postgres at {name} has no free connections. Raise its max_connections, or lower DATABASE_POOL_SIZE.',
  ],
  [/^53100$/, 'the disk of Postgres at {name} is full. Free some space.'],
  [/^25006$/, 'Postgres at {name} is a read-only replica. Set DATABASE_URL to the primary.'],
  [
    /^(57014|55P03|25P03)$/,
    'a statement took too long on Postgres at {name}, or waited for a lock.',
  ],
  [/^(57P0.|55000)$/, 'Postgres at {name} is starting, stopping or not accepting connections.'],
  [/^(08...|53...|58...)$/, 'Postgres at {name} is failing. Check its log.'],
  [
    tls,
    'Postgres at {name} does not support TLS. Turn on ssl there, or remove sslmode from DATABASE_URL.',
  ],
  [
    certificate,
    'the certificate of Postgres at {name} is not trusted. Set sslrootcert in DATABASE_URL to its authority.',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the host {host} has no address. Correct DATABASE_URL, or fix DNS.'],
  [
    /^(ECONNREFUSED|ENOENT)$/,
    'Postgres at {name} refuses connections. Start it, or correct DATABASE_URL.',
  ],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$|^Connection terminated|timeout|not queryable|after calling end/,
    'the connection to Postgres at {name} was lost. Check that it is running and that no firewall blocks it.',
  ],
]
