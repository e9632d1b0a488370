import { LRUCache } from 'lru-cache'
import { type KeyUse, touchApiKey } from '../agents/store/api-keys.ts'
import type { Database } from '../db/open.ts'
import type { Clock } from '../runtime/time.ts'
import { utcDay } from '../runtime/time.ts'
import { purgeReads } from '../skills/store/reads.ts'
import { purgeFetches } from '../trust/store/fetches.ts'
import { type CollectedFetch, type Reader, writeFetches } from '../trust/votes/fetches.ts'

const dayLength = 86_400_000

/** Most entries kept between two flushes, in all and of one network: eight times what limits let through. */
const capacity = 50_000
const capacityOfNetwork = 10_000

/** Readers that are not written again the same day; the database knows those that are forgotten here. */
const knownReaders = 100_000

export type Counters = ReturnType<typeof createCounters>

/**
 * Counts that reading causes. They are collected in memory and written every two seconds, so that no read
 * waits for a write; a crash loses those seconds.
 */
export function createCounters({ db, clock }: { db: Database; clock: Clock }) {
  let fetches = new Map<string, CollectedFetch>()
  let fetchesOf = new Map<string, number>()
  let keys = new Map<string, KeyUse>()
  const known = new LRUCache<string, true>({ max: knownReaders })
  let flushing: Promise<void> = Promise.resolve()

  return {
    /** Somebody fetched a skill's markdown: counted once per address, skill and UTC day. */
    fetched(skillId: string, reader: Reader): void {
      const { address, network = '', agentId = '' } = reader
      const day = Math.floor(clock.now() / dayLength)
      const key = `${day} ${skillId} ${address} ${agentId}`
      if (known.has(key) || fetches.size >= capacity) return
      const count = fetchesOf.get(network) ?? 0
      if (count >= capacityOfNetwork) return
      fetchesOf.set(network, count + 1)
      known.set(key, true)
      fetches.set(key, { skillId, reader, day: utcDay(day * dayLength) })
    },
    /** An API key was used, from this network. */
    keyUsed(keyId: string, network: string): void {
      if (keys.size < capacity) keys.set(keyId, { at: clock.now(), network })
    },
    /** Writes what was collected. */
    flush(): Promise<void> {
      // One after the other: whoever waits for a flush waits for what was collected before it.
      const done = flushing.then(write, write)
      flushing = done
      return done
    },
  }

  async function write() {
    const [someFetches, someKeys] = [fetches, keys]
    fetches = new Map()
    fetchesOf = new Map()
    keys = new Map()
    try {
      if (someFetches.size > 0) await writeFetches(db, [...someFetches.values()])
      if (someKeys.size > 0) keys = new Map([...(await writeKeys(db, someKeys)), ...keys])
    } catch (error) {
      // Kept for the next time. What was written already is not counted again: a reader is unique.
      fetches = new Map([...someFetches, ...fetches])
      keys = new Map([...someKeys, ...keys])
      throw error
    }
  }
}

/** Writes when keys were used last; gives what is left for the next time, of keys that a write holds. */
const writeKeys = (db: Database, keys: ReadonlyMap<string, KeyUse>) =>
  db.write(async (trx) => {
    const held: [string, KeyUse][] = []
    for (const [id, use] of keys) if (!(await touchApiKey(trx, id, use))) held.push([id, use])
    return held
  })

/** Who read what is kept this long: as long as a fetch speaks for a vote. */
const readsKept = 30 * dayLength

/** Forgets who read what before today, and the networks of readers after 30 days; the counts stay. */
export async function forgetReaders({ db, clock }: { db: Database; clock: Clock }) {
  const now = clock.now()
  await db.write(async (trx) => {
    await purgeFetches(trx, utcDay(now))
    await purgeReads(trx, utcDay(now - readsKept))
  })
}
