import type { Db } from '../handle.ts'
import * as registry from './0001-registry.ts'
import * as platform from './0002-platform.ts'
import * as oauth from './0003-oauth.ts'
import * as meetingsAndWebhooks from './0004-meetings-and-webhooks.ts'
import * as snapshots from './0005-snapshots.ts'
import * as embeddings from './0006-embeddings.ts'

export interface Migration {
  readonly name: string
  up(trx: Db): Promise<void>
  down(trx: Db): Promise<void>
}

/** All migrations in their order. Append only: a released one is never changed. */
export const migrations: readonly Migration[] = [
  { name: '0001-registry', ...registry },
  { name: '0002-platform', ...platform },
  { name: '0003-oauth', ...oauth },
  { name: '0004-meetings-and-webhooks', ...meetingsAndWebhooks },
  { name: '0005-snapshots', ...snapshots },
  { name: '0006-embeddings', ...embeddings },
]
