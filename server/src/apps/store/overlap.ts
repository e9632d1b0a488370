import { type RawBuilder, sql } from 'kysely'

/** When a secret is rotated, and until when the one before it stays good, ms since 1970. */
export interface SecretOverlap {
  readonly now: number
  readonly previousExpiresAt: number
}

/** Columns of a row that holds a secret and the one before it. */
interface SecretColumns {
  readonly current: string
  readonly previous: string
  readonly expiresAt: string
}

/**
 * What a rotation writes of the secret before it: the one that is replaced, until
 * `previousExpiresAt`; but an older one that is good still keeps its place and its time.
 */
export function keptBefore<T extends string>(
  { current, previous, expiresAt }: SecretColumns,
  { now, previousExpiresAt }: SecretOverlap,
): { previous: RawBuilder<T>; expiresAt: RawBuilder<number> } {
  const isGoodStill = sql`${sql.ref(expiresAt)} > ${now}`
  return {
    previous: sql<T>`case when ${isGoodStill} then ${sql.ref(previous)} else ${sql.ref(current)} end`,
    expiresAt: sql<number>`case when ${isGoodStill} then ${sql.ref(expiresAt)} else cast(${previousExpiresAt} as bigint) end`,
  }
}
