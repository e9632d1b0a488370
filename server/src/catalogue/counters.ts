import { LRUCache } from 'lru-cache'
import type { Database } from '../db/open.ts'
import type { Context } from '../runtime/context.ts'
import { type Clock, dayLength, utcDay } from '../runtime/time.ts'
import { type KeyUse, touchApiKey } from '../store/agents/api-keys.ts'
import { purgeReadersOf, purgeVersionUsage } from '../store/registry/fetches.ts'
import { type CollectedFetch, type FetchedVersion, type Reader, writeFetches } from './fetches.ts'

// Limits of entries between two flushes, in total and per network. Rate limits allow an eighth.
const capacity = 50_000
const networkCapacity = 10_000

/** Readers to remember as counted today. The database ignores repeated readers too. */
const maxKnownReaders = 100_000

export type Counters = ReturnType<typeof createCounters>

/**
 * Creates write-behind counters of fetches and key uses. They are written every two seconds, so
 * that reads do not wait for writes. A crash loses at most the last interval.
 */
export function createCounters(ctx: Pick<Context, 'db' | 'clock' | 'encryption'>) {
  const { db, clock } = ctx
  let fetches = new Map<string, CollectedFetch>()
  let networkCounts = new Map<string, number>()
  let keys = new Map<string, KeyUse>()
  const known = new LRUCache<string, true>({ max: maxKnownReaders })
  let flushing: Promise<void> = Promise.resolve()

  return {
    /** Counts a fetch or an installation of a version, once per reader and UTC day. */
    fetched(fetched: FetchedVersion, reader: Reader): void {
      const { address, network = '', agentId = '' } = reader
      const day = Math.floor(clock.now() / dayLength)
      const { skillId, version, kind } = fetched
      const key = `${day} ${skillId} ${version} ${kind} ${address} ${agentId}`
      if (known.has(key) || fetches.size >= capacity) return
      const count = networkCounts.get(network) ?? 0
      if (count >= networkCapacity) return
      networkCounts.set(network, count + 1)
      known.set(key, true)
      fetches.set(key, { ...fetched, reader, day: utcDay(day * dayLength) })
    },
    /** Counts a use of an API key from a network. */
    keyUsed(keyId: string, network: string): void {
      if (keys.size < capacity) addUse(keyId, { at: clock.now(), network, count: 1 })
    },
    /** Forgets which readers were counted. */
    forget: () => known.clear(),
    flush(): Promise<void> {
      // Flushes run one after another, so a caller waits for everything counted before its flush.
      const done = flushing.then(write, write)
      flushing = done
      return done
    },
  }

  function addUse(keyId: string, use: KeyUse) {
    const known = keys.get(keyId)
    const latest = known && known.at > use.at ? known : use
    keys.set(keyId, { ...latest, count: use.count + (known?.count ?? 0) })
  }

  function addUses(uses: Iterable<[string, KeyUse]>) {
    for (const [keyId, use] of uses) addUse(keyId, use)
  }

  async function write() {
    const [someFetches, someKeys] = [fetches, keys]
    fetches = new Map()
    networkCounts = new Map()
    keys = new Map()
    try {
      if (someFetches.size > 0) await writeFetches(ctx, [...someFetches.values()])
      if (someKeys.size > 0) addUses(await writeKeys(db, someKeys))
    } catch (error) {
      // Retry with the next flush. Readers are unique, so nothing is counted twice.
      fetches = new Map([...someFetches, ...fetches])
      addUses(someKeys)
      throw error
    }
  }
}

/** Stores uses of keys. Returns the keys that another transaction has locked. */
const writeKeys = (db: Database, keys: ReadonlyMap<string, KeyUse>) =>
  db.write(async (trx) => {
    const locked: [string, KeyUse][] = []
    for (const [id, use] of keys) if (!(await touchApiKey(trx, id, use))) locked.push([id, use])
    return locked
  })

/** Retention of read records. A vote counts only if its agent or network has a read record. */
const readRetention = 30 * dayLength

/** How long the usage of versions by day is kept. */
const usageRetention = 400 * dayLength

/**
 * Deletes the readers of earlier days, read records older than 30 days and usage older than 400
 * days. The counts of skills stay.
 */
export async function purgeReaders({ db, clock }: { db: Database; clock: Clock }) {
  const now = clock.now()
  await db.write(async (trx) => {
    await purgeReadersOf(trx, 'fetches', utcDay(now))
    await purgeReadersOf(trx, 'reads', utcDay(now - readRetention))
    await purgeVersionUsage(trx, utcDay(now - usageRetention))
  })
}
