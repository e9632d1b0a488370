import type { Column, tables } from './tables.ts'

export type { EndReason, Resource } from './tables.ts'

type Tables = {
  [T in keyof typeof tables]: {
    [C in keyof (typeof tables)[T]]: (typeof tables)[T][C] extends Column<infer V> ? V : never
  }
}

/** The tables. Only `store/` uses these types. The migrations define the keys. */
export interface Schema extends Tables {
  schema_migrations: {
    name: string
    /** Milliseconds since 1970 in UTC. */
    applied_at: number
  }

  /** One row. Its lock prevents concurrent migrations. */
  schema_lock: {
    id: 1
    taken: number
  }
}
