import type { Db } from '../handle.ts'
import * as baseline from './0001-baseline.ts'
import * as occurrenceChanges from './0002-occurrence-changes.ts'
import * as claims from './0003-claims.ts'

interface Migration {
  readonly name: string
  up(trx: Db): Promise<void>
  /** Missing if the migration cannot be undone. */
  down?(trx: Db): Promise<void>
}

/** All migrations, in order. Append only: never change a released migration. */
export const migrations: Migration[] = [
  { name: '0001-baseline', ...baseline },
  { name: '0002-occurrence-changes', ...occurrenceChanges },
  { name: '0003-claims', ...claims },
]
