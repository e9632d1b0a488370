import { createHash } from 'node:crypto'
import type { Clock } from '../context.ts'
import type { Database } from '../db/open.ts'
import { touchApiKey } from './store/api-keys.ts'
import { addFetches, type Fetch, insertFetch, purgeFetches } from './store/fetches.ts'
import { nextRevision } from './store/revision.ts'

/**
 * Counts that reading causes. They are collected in memory and written in batches, so that no read
 * waits for a write; a crash loses at most the last few seconds of them.
 */
export interface Tally {
  /** A client fetched a skill's markdown: counted once per client, skill and UTC day. */
  fetched(skillId: string, clientAddress: string): void
  /** An API key was used. */
  keyUsed(keyId: string): void
  /** Writes what was collected. */
  flush(): Promise<void>
}

const dayLength = 86_400_000

/** Most entries kept between two flushes; more are dropped rather than kept in memory. */
const capacity = 50_000

export function createTally({ db, clock }: { db: Database; clock: Clock }): Tally {
  let fetches = new Map<string, Fetch>()
  let seen = new Set<string>()
  let keys = new Map<string, number>()
  let number = 0
  let day = ''

  return {
    fetched(skillId, clientAddress) {
      const today = Math.floor(clock.now() / dayLength)
      if (today !== number) {
        number = today
        day = utcDay(clock.now())
        seen = new Set()
      }
      // With the day, so that a reader of yesterday that waits for its flush is not lost.
      const key = `${day} ${skillId} ${clientAddress}`
      if (seen.has(key) || seen.size >= capacity * 10 || fetches.size >= capacity) return
      seen.add(key)
      fetches.set(key, { skillId, reader: readerHash(day, clientAddress), day })
    },
    keyUsed(keyId) {
      if (keys.size < capacity) keys.set(keyId, clock.now())
    },
    async flush() {
      const [someFetches, someKeys] = [fetches, keys]
      fetches = new Map()
      keys = new Map()
      try {
        if (someFetches.size > 0) await writeFetches(db, [...someFetches.values()])
        if (someKeys.size > 0) await writeKeys(db, someKeys)
      } catch (error) {
        // Kept for the next time. What was written already is not counted again: a reader is unique.
        fetches = new Map([...someFetches, ...fetches])
        keys = new Map([...someKeys, ...keys])
        throw error
      }
    },
  }
}

const writeKeys = (db: Database, keys: ReadonlyMap<string, number>) =>
  db.write(async (trx) => {
    for (const [id, usedAt] of keys) await touchApiKey(trx, id, usedAt)
  })

/** Rows of one transaction, so that other writes get their turn. */
const chunk = 500

async function writeFetches(db: Database, fetches: Fetch[]) {
  for (let start = 0; start < fetches.length; start += chunk) {
    await db.write(async (trx) => {
      const revision = await nextRevision(trx)
      const readers = new Map<string, number>()
      for (const fetch of fetches.slice(start, start + chunk)) {
        if (await insertFetch(trx, fetch)) {
          readers.set(fetch.skillId, (readers.get(fetch.skillId) ?? 0) + 1)
        }
      }
      for (const [skillId, count] of readers) await addFetches(trx, skillId, count, revision)
    })
  }
}

/** Forgets who read what before today; the counts stay. */
export async function forgetReaders({ db, clock }: { db: Database; clock: Clock }) {
  const today = utcDay(clock.now())
  await db.write((trx) => purgeFetches(trx, today))
}

/** The UTC day of a time, `YYYY-MM-DD`. */
export const utcDay = (time: number): string => new Date(time).toISOString().slice(0, 10)

/** Addresses are not kept: a hash that changes daily tells two readers of one day apart. */
const readerHash = (day: string, address: string) =>
  createHash('sha256').update(`${day} ${address}`).digest('base64url').slice(0, 16)
