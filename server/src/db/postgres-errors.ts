import { errorCode } from '../errors/error-code.ts'
import { DatabaseUnavailable, lackOf, UniqueViolation } from './errors.ts'

/** Location of a Postgres database, without its password. */
export interface PostgresPlace {
  /** `HOST:PORT/DATABASE` */
  readonly name: string
  readonly host: string
  readonly database: string
  readonly user: string
}

/** Converts errors of Postgres and its driver. Returns other errors unchanged. */
export function translatePostgres(error: unknown, place: PostgresPlace): unknown {
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
export const isFull = (error: unknown): boolean => codeOf(error) === '53300'

/** Whether waiting cannot help: the password, role, database or certificate is wrong. */
export const isLasting = (error: unknown): boolean =>
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
