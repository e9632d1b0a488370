import { randomBytes, randomUUID } from 'node:crypto'
import { loadConfig } from '@skillpass/server/config'
import { type Context, createSteadyNow } from '@skillpass/server/context'
import { createMemoryLimiter } from '@skillpass/server/http/rate-limiter'
import { afterAll } from 'vitest'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { type Engine, openTestDatabase } from '../support/databases.ts'

export const random: Context['random'] = { bytes: randomBytes, uuid: randomUUID }

type Parts = Pick<Context, 'clock' | 'config' | 'db' | 'limiter' | 'random' | 'steadyNow'>

/** What operations need, on a database of its own, without a server in front. */
export async function openOperations(
  engine: Engine,
  env: Record<string, string> = {},
): Promise<{ ctx: Parts; clock: TestClock }> {
  const { db, remove } = await openTestDatabase(engine)
  afterAll(remove)
  const clock = createTestClock()
  const config = loadConfig({ NODE_ENV: 'test', ...env })
  const limiter = createMemoryLimiter(clock)
  return { ctx: { clock, config, db, limiter, random, steadyNow: createSteadyNow(clock) }, clock }
}

/** All that a database holds of these tables, as text to search. */
export async function textOf(
  { db }: Pick<Context, 'db'>,
  ...tables: ('accounts' | 'users' | 'sessions' | 'apps' | 'clients' | 'redirect_uris')[]
): Promise<string> {
  const rows = await Promise.all(
    tables.map((table) => db.read.selectFrom(table).selectAll().orderBy(keys[table]).execute()),
  )
  return JSON.stringify(rows)
}

const keys = {
  accounts: 'id',
  users: 'id',
  sessions: 'key',
  apps: 'id',
  clients: 'client_id',
  redirect_uris: 'uri',
} as const
