import type { Generated } from 'kysely'
import type { Column, tables } from './tables.ts'

export type { EndReason, Resource } from './tables.ts'

type Tables = {
  [T in keyof typeof tables]: {
    [C in keyof (typeof tables)[T]]: (typeof tables)[T][C] extends Column<infer V> ? V : never
  }
}

/** The tables. Only `store/` uses these types. The migrations define the keys. */
export interface Schema extends Tables {
  apps: Tables['apps'] & {
    /** What readers take the name for, without decoration. Empty for none. */
    skeleton: string
  }

  /** Client assertions that were used, until they expire. */
  client_assertions: {
    /** Hash of the client id and the `jti`. */
    key: string
    expires_at: number
  }

  /** Agents that have sent the bytes of a blob. */
  blob_uploads: {
    digest: string
    agent_id: string
  }

  schema_migrations: {
    name: string
    /** Milliseconds since 1970 in UTC. */
    applied_at: number
  }

  /** `start_time` is the planned start, which identifies the occurrence. */
  meeting_occurrences: Tables['meeting_occurrences'] & {
    /** Start, if it is not the planned one. */
    moved_to: number | null
    /** JSON: topic, agenda and settings that differ from those of the meeting. */
    changes: Generated<string>
    /** When it was deleted. It stays deleted if the same dates are planned again. */
    cancelled_at: number | null
  }

  /** One row. Its lock prevents concurrent migrations. */
  schema_lock: {
    id: 1
    taken: number
  }
}
