import { createHash } from 'node:crypto'
import { findNetworksOf, findOwnersOf } from '../../agents/store/networks.ts'
import type { Database, Db } from '../../db/open.ts'
import { upsertReads } from '../../skills/store/reads.ts'
import { nextRevision } from '../../skills/store/revision.ts'
import { addFetches, insertFetches } from '../store/fetches.ts'
import { networkKey } from './networks.ts'

/** Who fetched a skill's markdown. */
export interface Reader {
  /** As `clientAddress` folds it. */
  address: string
  /** Undefined where it is unknown. */
  network: string | undefined
  /** Whose living API key came along. */
  agentId: string | undefined
}

export interface CollectedFetch {
  skillId: string
  reader: Reader
  /** The UTC day. */
  day: string
}

/** Fetches of one transaction, so that other writes get their turn. */
const chunk = 500

/**
 * Counts readers that were not counted that day, and keeps which network and which agent read what.
 * Those of a skill's owner, and from the network it registered from, are left out.
 */
export async function writeFetches(db: Database, fetches: readonly CollectedFetch[]) {
  for (let start = 0; start < fetches.length; start += chunk) {
    const some = await Promise.all(
      fetches.slice(start, start + chunk).map(async ({ reader, ...fetch }) => ({
        ...fetch,
        ...reader,
        network: await networkKey(db, reader.network),
      })),
    )
    await db.write((trx) => writeSome(trx, some))
  }
}

type KeyedFetch = Omit<CollectedFetch, 'reader'> & Reader & { network: string }

async function writeSome(trx: Db, fetches: readonly KeyedFetch[]) {
  const revision = await nextRevision(trx)
  const owners = await findOwnersOf(trx, [...new Set(fetches.map(({ skillId }) => skillId))])
  const agentIds = new Set(fetches.flatMap(({ agentId }) => agentId ?? []))
  const networks = await findNetworksOf(trx, [...agentIds])
  const counted = fetches.filter((fetch) => {
    const owner = owners.get(fetch.skillId)
    if (!owner) return false
    const registered = networks.get(fetch.agentId ?? '')
    if (owner.network !== null && [fetch.network, registered].includes(owner.network)) return false
    return fetch.agentId !== owner.agentId
  })
  await countReaders(trx, counted, revision)
  const reads = counted.flatMap((fetch) => {
    const { network, agentId } = fetch
    const { skillId, day } = fetch
    return [network, ...(agentId ? [agentId] : [])].map((reader) => ({ skillId, reader, day }))
  })
  await upsertReads(
    trx,
    distinct(reads, (read) => `${read.skillId} ${read.reader}`),
  )
}

/** Counts those of a day who were not counted yet, told apart by address and by network. */
async function countReaders(trx: Db, fetches: readonly KeyedFetch[], revision: number) {
  const rows = fetches.flatMap(({ skillId, day, address, network }) => [
    { skillId, day, reader: readerHash(day, address) },
    { skillId, day, reader: networkReader + network },
  ])
  const news = await insertFetches(
    trx,
    distinct(rows, (row) => `${row.day} ${row.skillId} ${row.reader}`),
  )
  for (const skillId of new Set(news.map((row) => row.skillId))) {
    const readers = news.filter((row) => row.skillId === skillId)
    const networks = readers.filter(({ reader }) => reader.startsWith(networkReader)).length
    await addFetches(trx, skillId, { addresses: readers.length - networks, networks }, revision)
  }
}

/** What a network begins with among readers; a hash holds no space. */
const networkReader = 'net '

/** The last of those with the same key. */
const distinct = <T>(rows: readonly T[], keyOf: (row: T) => string): T[] => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
]

/** Addresses are not kept: a hash that changes daily tells two readers of one day apart. */
const readerHash = (day: string, address: string) =>
  createHash('sha256').update(`${day} ${address}`).digest('base64url').slice(0, 16)
