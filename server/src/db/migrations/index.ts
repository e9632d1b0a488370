import * as baseline from './0001-baseline.ts'

/** All migrations, in order. Append only: never change a released migration. */
export const migrations = [{ name: '0001-baseline', ...baseline }]
