import { createFailedSignIns } from '@skillpass/server/audit/failed-sign-ins'
import { loadConfig } from '@skillpass/server/config/config'
import type { AppContext } from '@skillpass/server/context'
import { openEncryption } from '@skillpass/server/encryption/key'
import { createMemoryLimiter } from '@skillpass/server/limits/rate-limiter'
import { createSteadyNow } from '@skillpass/server/runtime/time'
import { createDeliverySignal } from '@skillpass/server/webhooks/context'
import { afterAll } from 'vitest'
import { createTestClock, type TestClock } from '../support/clock.ts'
import { type Engine, openTestDatabase } from '../support/databases.ts'
import { testRandom } from '../support/random.ts'
import { encryptionKey } from '../support/settings.ts'

type Parts = Pick<
  AppContext,
  | 'clock'
  | 'config'
  | 'db'
  | 'encryption'
  | 'failedSignIns'
  | 'limiter'
  | 'network'
  | 'random'
  | 'steadyNow'
  | 'trace'
  | 'webhooks'
>

/** The context of operations on a new database, without a server. */
export async function openOperations(
  engine: Engine,
  env: Record<string, string> = {},
): Promise<{ ctx: Parts; clock: TestClock }> {
  const { db, remove } = await openTestDatabase(engine)
  afterAll(remove)
  const clock = createTestClock()
  const config = loadConfig({ NODE_ENV: 'test', ENCRYPTION_KEY: encryptionKey, ...env })
  const encryption = await openEncryption(config, testRandom)
  const limiter = createMemoryLimiter(clock)
  const failedSignIns = createFailedSignIns({ clock, db, random: testRandom })
  const steadyNow = createSteadyNow(clock)
  const webhooks = createDeliverySignal()
  const parts = { clock, config, db, encryption, failedSignIns, limiter, steadyNow, webhooks }
  return { ctx: { ...parts, random: testRandom, network: null, trace: null }, clock }
}

const keys = {
  accounts: 'id',
  users: 'id',
  sessions: 'key',
  apps: 'id',
  clients: 'client_id',
  redirect_uris: 'uri',
} as const

/** All rows of these tables, as text to search. */
export async function textOf(
  { db }: Pick<AppContext, 'db'>,
  ...tables: ('accounts' | 'users' | 'sessions' | 'apps' | 'clients' | 'redirect_uris')[]
): Promise<string> {
  const rows = await Promise.all(
    tables.map((table) => db.read.selectFrom(table).selectAll().orderBy(keys[table]).execute()),
  )
  return JSON.stringify(rows)
}
