import { errorCode } from '../errors/error-code.ts'
import { DatabaseUnavailable, UniqueViolation } from './errors.ts'

/** Where a Postgres is; never holds its password. */
export interface PostgresPlace {
  /** `HOST:PORT/DATABASE` */
  readonly name: string
  readonly host: string
  readonly database: string
  readonly user: string
}

/** Turns an error of Postgres or of its driver into one of ours; any other comes back unchanged. */
export function translatePostgres(error: unknown, place: PostgresPlace): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseUnavailable) return error
  const code = errorCode(error)
  if (code === '23505') {
    const { table = '', detail = '' } = error as { table?: string; detail?: string }
    // "Key (repository_id, slug)=(…) already exists." The words depend on the server's language.
    const columns = /\((.*?)\)=\(/.exec(detail)?.[1]?.replaceAll('"', '').split(', ') ?? []
    return new UniqueViolation(table, columns, error)
  }
  // pg reports lost connections, its own timeouts and TLS that is refused without any code.
  const sign = code || error.message
  const advice = faults.find(([signs]) => signs.test(sign))?.[1]
  if (!advice) return error
  const said = [error.message, code].filter(Boolean).join(', ')
  const told = advice.replace(/\{(\w+)\}/g, (_, key: keyof PostgresPlace) => place[key])
  return new DatabaseUnavailable(`${told} (${said})`, error)
}

/**
 * Whether an error is the answer of a Postgres that serves: any with a code, but for those of classes 08
 * connection, 53 resources and 58 system, and of one that shuts down or starts (57P0x).
 */
export const isAnswer = (error: unknown): boolean =>
  /^(?!08|53|58|57P0)[0-9A-Z]{5}$/.test(codeOf(error))

/** Whether it has no connection left: it answers others all the same. */
export const isFull = (error: unknown): boolean => codeOf(error) === '53300'

/** Whether waiting does not help: password, role, database and certificates are for people to mend. */
export const isLasting = (error: unknown): boolean =>
  /^(28...|3D000)$/.test(codeOf(error)) ||
  certificate.test(codeOf(error)) ||
  tls.test(wordsOf(error))

const causeOf = (error: unknown) => (error instanceof DatabaseUnavailable ? error.cause : error)
const codeOf = (error: unknown) => errorCode(causeOf(error))
const wordsOf = (error: unknown) => String(causeOf(error))

const tls = /does not support SSL|SSL connection/
const certificate = /CERT|UNABLE_TO_(GET|VERIFY)|^ERR_TLS_|^ERR_SSL_|^ERR_OSSL_/

/**
 * What each fault means for an operator, and what to do, with the place's values in braces; the first
 * that fits is told.
 */
const faults: readonly (readonly [RegExp, string])[] = [
  [/^28P01$/, 'Postgres at {name} refuses the password of {user}. Correct it in DATABASE_URL.'],
  [
    /^28...$/,
    'Postgres at {name} does not let {user} in. Correct DATABASE_URL, or let the role in by pg_hba.conf.',
  ],
  [
    /^3D000$/,
    'there is no database at {name}. Make it with `createdb {database}`, or correct DATABASE_URL.',
  ],
  [
    /^53300$/,
    'Postgres at {name} has no connection left. Raise its max_connections, or let each process keep fewer.',
  ],
  [/^53100$/, 'the disk of Postgres at {name} is full. Make room on it.'],
  [/^25006$/, 'Postgres at {name} is a read-only copy. Name the primary in DATABASE_URL.'],
  [
    /^(57014|55P03|25P03)$/,
    'a statement took too long on Postgres at {name}, or waited for a lock.',
  ],
  [/^(57P0.|55000)$/, 'Postgres at {name} is starting, stopping or closed to connections.'],
  [/^(08...|53...|58...)$/, 'Postgres at {name} cannot serve. See what its log says.'],
  [
    tls,
    'Postgres at {name} does not speak TLS. Switch ssl on there, or take sslmode out of DATABASE_URL.',
  ],
  [
    certificate,
    'the certificate of Postgres at {name} is not trusted. Name its authority by sslrootcert in DATABASE_URL.',
  ],
  [
    /^(ENOTFOUND|EAI_AGAIN)$/,
    'the host {host} has no address. Correct DATABASE_URL, or the name service.',
  ],
  [
    /^(ECONNREFUSED|ENOENT)$/,
    'Postgres at {name} refuses connections. Start it, or correct DATABASE_URL.',
  ],
  [
    /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$|^Connection terminated|timeout|not queryable|after calling end/,
    'the connection to Postgres at {name} was lost. See that it runs, and that no firewall stands between.',
  ],
]
