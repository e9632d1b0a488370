import { apiVersion } from '@skillpass/contract'
import { DatabaseUnavailable } from '../db/errors.ts'
import type { RegistryContext } from './context.ts'
import { timestamp } from './serialize/present.ts'

/** Whether the service works: the database must answer. */
export async function checkHealth({ db, clock }: Pick<RegistryContext, 'db' | 'clock'>) {
  const about = { timestamp: timestamp(clock.now()), version: apiVersion }
  try {
    await db.ping()
    return { status: 'ok' as const, ...about }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return { status: 'unavailable' as const, ...about }
  }
}
