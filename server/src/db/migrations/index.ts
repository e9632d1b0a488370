import type { Db } from '../handle.ts'
import * as baseline from './0001-baseline.ts'

export interface Migration {
  readonly name: string
  up(trx: Db): Promise<void>
  down(trx: Db): Promise<void>
}

/** All migrations, in order. Append only: never change a released migration. */
export const migrations: readonly Migration[] = [{ name: '0001-baseline', ...baseline }]
