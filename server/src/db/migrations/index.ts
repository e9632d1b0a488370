import * as baseline from './0001-baseline.ts'
import * as occurrenceChanges from './0002-occurrence-changes.ts'
import * as claims from './0003-claims.ts'

/** All migrations, in order. Append only: never change a released migration. */
export const migrations = [
  { name: '0001-baseline', ...baseline },
  { name: '0002-occurrence-changes', ...occurrenceChanges },
  { name: '0003-claims', ...claims },
]
