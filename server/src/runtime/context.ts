import type { IncomingMessage } from 'node:http'
import type { LoggedRequest } from '@skillpass/contract'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'
import type { Encryption } from '../secrets/encryption.ts'
import type { Passwords } from '../secrets/passwords.ts'
import type { Random } from '../secrets/random.ts'
import type { Config } from './config/config.ts'
import { type ClientSource, clientAddress, networkOf } from './limits/client-address.ts'
import type { RateLimiter } from './limits/rate-limiter.ts'
import type { Metrics } from './metrics.ts'
import type { ObjectStore } from './object-store.ts'
import type { FetchJson } from './outbound/fetch-json.ts'
import { signalOf } from './request-signal.ts'
import type { Steps } from './steps.ts'
import type { Clock } from './time.ts'
import { readTraceparent } from './traceparent.ts'

/** What a command of the operator gives to its operations. */
export interface OperatorContext {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  /** Time to compare expiries with, ms; see `createSteadyNow`. */
  readonly steadyNow: () => number
  readonly db: Database
  /** Encrypts values that the database must not hold in plain text. */
  readonly encryption: Encryption
  readonly passwords: Passwords
  readonly steps: Steps
  /** Store of file contents. Undefined without BLOB_URL; the database then stores them. */
  readonly objects: ObjectStore | undefined
  /** Network of the request's client, /24 or /48; null outside of a request. */
  readonly network: string | null
  /** Aborts when the request's client disconnects; undefined outside of a request. */
  readonly signal?: AbortSignal | undefined
  /** The request's `traceparent`; null outside of a request. */
  readonly trace: string | null
}

/** What a server gives to its operations, and what is known of the request. */
export interface Context extends OperatorContext {
  readonly log: Logger
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly limiter: RateLimiter
  /** Fetches JSON documents of other services. */
  readonly fetchJson: FetchJson
  readonly failedSignIns: FailedSignIns
  readonly calls: CallLog
  /** Ids of apps whose endpoint is being validated on request. */
  readonly validating: Set<string>
  /** Interferes with requests: first of all, and when their caller is known. For tests. */
  readonly intercept?: RequestHandler | undefined
  /** Receives each request when it has ended, with the ids of its app and user. For tests. */
  readonly observe?: ((request: LoggedRequest) => void) | undefined
  /** Rate-limit key of the request's client address; empty outside of a request. */
  readonly address: string
}

/** Collects failed sign-ins for the audit log, so that password guessing causes few writes. */
export interface FailedSignIns {
  /**
   * Counts a failure, without a user if the email is unknown. `address` comes from
   * `clientAddress`.
   */
  note(user: { id: string; accountId: string } | undefined, address: string): void
  /** Writes an audit entry for each user and network. */
  flush(): Promise<void>
}

/** The log of apps' calls. */
export interface CallLog {
  /** Logs a request that has ended, if it came from an app. */
  note(req: object, call: { method: string; route: string; status: number }): void
  /** Writes the calls that wait. */
  flush(): Promise<void>
}

/** A reason why a process does not serve everything. `draining` means that it is stopping. */
export type Wait = 'migrations' | 'schema' | 'catalogue' | 'demo' | 'draining'

export interface Readiness {
  /** Why the process waits for the schema, and the key of the database that it has read. */
  fault?: string | undefined
  databaseKey?: number
  /** Empty while everything is served. */
  readonly waits: Set<Wait>
  /** Progress of loading the catalogue, in skills. */
  reading?: { readonly read: number; readonly skills: number }
}

type ClientRequest = ClientSource &
  Pick<IncomingMessage, 'headers'> &
  Parameters<typeof signalOf>[0]

const partsOf = new WeakMap<object, object>()

/** Replaces parts of the context of a request, such as the skills that its caller may read. */
export const replaceParts = <C extends Context>(req: object, parts: Partial<C>) =>
  partsOf.set(req, { ...partsOf.get(req), ...parts })

/**
 * Returns the context of a request: its audit entries contain the client's network, and its
 * outgoing requests belong to its trace.
 */
export function forRequest<C extends Context>(ctx: C, req: ClientRequest): C {
  const signal = signalOf(req)
  const address = clientAddress(req)
  const network = networkOf(address)
  const trace = readTraceparent(req.headers)
  return { ...ctx, ...partsOf.get(req), address, network, signal, trace }
}
