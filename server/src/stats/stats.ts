import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../context/context.ts'
import { snapshotFolder } from '../registry/snapshots/place.ts'
import {
  type Counted,
  countGrowth,
  countState,
  databaseBytes,
  type Grown,
  type Growth,
  oldestWaitingEvent,
} from './store/counts.ts'

/** How much there is of everything, and how it grows. */
export interface Stats {
  readonly growth: Readonly<Record<Grown, Growth>>
  readonly state: Readonly<Record<Counted, number>>
  /** When the webhook was written that has waited longest, ms; null where none waits. */
  readonly oldestWebhook: number | null
  /** Bytes. */
  readonly sizes: { readonly database: number; readonly snapshot: number }
}

/** Counts what a database holds. Each number is right by itself; writes go on between them. */
export async function readStats(ctx: Pick<Context, 'clock' | 'config' | 'db'>): Promise<Stats> {
  const { read } = ctx.db
  const now = ctx.clock.now()
  const [growth, state, oldestWebhook, database, snapshot] = await Promise.all([
    countGrowth(read, now),
    countState(read, now),
    oldestWaitingEvent(read),
    databaseBytes(read),
    sizeOfFolder(snapshotFolder(ctx.config)),
  ])
  return { growth, state, oldestWebhook, sizes: { database, snapshot } }
}

async function sizeOfFolder(folder: string | undefined): Promise<number> {
  if (folder === undefined) return 0
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
