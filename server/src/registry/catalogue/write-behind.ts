import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../../db/open.ts'
import type { Clock } from '../../runtime/time.ts'
import { utcDay } from '../../runtime/time.ts'
import { type KeyUse, touchApiKey } from '../store/api-keys.ts'
import { purgeFetches } from '../store/fetches.ts'
import { purgeReads } from '../store/reads.ts'
import { type CollectedFetch, type Reader, writeFetches } from '../votes/fetches.ts'

/**
 * Counts that reading causes. They are collected in memory and written in batches, so that no read
 * waits for a write; a crash loses at most the last few seconds of them. Readers of the day are known
 * by a short hash. One that is forgotten for want of room is written again when it comes again, and
 * counts once all the same, for the database knows it; one that is not collected counts when it comes
 * again.
 */
export interface Counters {
  /** Somebody fetched a skill's markdown: counted once per address, skill and UTC day. */
  fetched(skillId: string, reader: Reader): void
  /** An API key was used, from this network. */
  keyUsed(keyId: string, network: string): void
  /** Writes what was collected. */
  flush(): Promise<void>
}

const dayLength = 86_400_000

/** Most entries kept between two flushes, in all and of one network: eight times what limits let through. */
const capacity = 50_000
const capacityOfNetwork = 10_000

/** Readers of a day that are known, in all and of one network. */
const known = 500_000
const knownOfNetwork = 25_000

export function createCounters({ db, clock }: { db: Database; clock: Clock }): Counters {
  let fetches = new Map<number, CollectedFetch>()
  let waiting = countsByNetwork()
  const seen = new Set<number>()
  let seenOf = countsByNetwork()
  let keys = new Map<string, KeyUse>()
  let number = 0
  let day = ''
  let flushing: Promise<void> = Promise.resolve()

  return {
    fetched(skillId, reader) {
      const today = Math.floor(clock.now() / dayLength)
      if (today !== number) {
        number = today
        day = utcDay(clock.now())
        seen.clear()
        seenOf = countsByNetwork()
      }
      // With the day, so that a reader of yesterday that waits for its flush is not lost.
      const { address, network = '', agentId = '' } = reader
      const key = shortHash(`${day} ${skillId} ${address} ${agentId}`)
      if (seen.has(key) || fetches.has(key)) return
      const slot = shortHash(network) % slots
      if (at(waiting, slot) >= capacityOfNetwork) return
      waiting[slot] = at(waiting, slot) + 1
      fetches.set(key, { skillId, reader, day })
      if (fetches.size > capacity) forget(fetches, seen)
      // A network beyond its share is written, not known: it pushes no other out.
      if (at(seenOf, slot) >= knownOfNetwork) return
      seenOf[slot] = at(seenOf, slot) + 1
      seen.add(key)
      if (seen.size > known) forget(seen)
    },
    keyUsed(keyId, network) {
      if (keys.size < capacity) keys.set(keyId, { at: clock.now(), network })
    },
    flush() {
      // One after the other: whoever waits for a flush waits for what was collected before it.
      const done = flushing.then(write, write)
      flushing = done
      return done
    },
  }

  async function write() {
    const [someFetches, someKeys] = [fetches, keys]
    fetches = new Map()
    waiting = countsByNetwork()
    keys = new Map()
    try {
      if (someFetches.size > 0) await writeFetches(db, [...someFetches.values()])
      if (someKeys.size > 0) keys = new Map([...(await writeKeys(db, someKeys)), ...keys])
    } catch (error) {
      // Kept for the next time. What was written already is not counted again: a reader is unique.
      fetches = new Map([...someFetches, ...fetches].slice(-capacity))
      keys = new Map([...someKeys, ...keys])
      throw error
    }
  }
}

/** Networks are counted by slots of a hash that nobody foresees, so that their number needs no memory. */
const slots = 65_536
const countsByNetwork = () => new Uint32Array(slots)
const at = (counts: Uint32Array, slot: number) => counts[slot] ?? 0

/** Nobody can look for texts that share a hash. */
const salt = randomBytes(16)
const shortHash = (text: string): number =>
  createHash('sha256').update(salt).update(text).digest().readUIntBE(0, 6)

/** Drops the eighth that came first, there and in `also`: one by one, each would look past the gaps. */
function forget(from: Set<number> | Map<number, CollectedFetch>, also?: Set<number>): void {
  let left = from.size / 8
  for (const key of from.keys()) {
    if (left-- <= 0) return
    from.delete(key)
    also?.delete(key)
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
