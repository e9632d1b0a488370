import type { Db } from '../db/open.ts'
import type { Context } from '../runtime/context.ts'
import { findOwnersOf } from '../store/agents/agents.ts'
import { findMembershipsOf } from '../store/agents/members.ts'
import { findNetworksOf, networkKey } from '../store/agents/networks.ts'
import {
  addFetches,
  addVersionUsage,
  insertFetches,
  upsertReads,
} from '../store/registry/fetches.ts'
import { nextRevision } from '../store/registry/revision.ts'

/** The client that fetched a skill's markdown. */
export interface Reader {
  /** Normalized by `clientAddress`. */
  address: string
  /** Undefined if unknown. */
  network: string | undefined
  /** Agent of a valid API key in the request. */
  agentId: string | undefined
}

export interface FetchedVersion {
  skillId: string
  version: number
  /** Reading the markdown is a fetch, SKILL.md as a file or an archive an installation. */
  kind: 'fetches' | 'installs'
}

export interface CollectedFetch extends FetchedVersion {
  reader: Reader
  /** UTC day. */
  day: string
}

/** Fetches per transaction. Other writes run in between. */
const chunk = 500

/**
 * Counts readers that were not counted that day, and stores which networks and agents read a skill.
 * Ignores fetches of the skill's owner, its members and its network.
 */
export async function writeFetches(
  { db, encryption }: Pick<Context, 'db' | 'encryption'>,
  fetches: readonly CollectedFetch[],
) {
  for (let start = 0; start < fetches.length; start += chunk) {
    const keyed = await Promise.all(
      fetches.slice(start, start + chunk).map(async ({ reader, ...fetch }) => ({
        ...fetch,
        ...reader,
        // Changes daily. The slice is long enough to tell readers apart.
        readerKey: encryption.match('reader', `${fetch.day} ${reader.address}`).slice(-22),
        network: await networkKey(db.read, reader.network),
      })),
    )
    await db.write((trx) => writeChunk(trx, keyed))
  }
}

type KeyedFetch = Omit<CollectedFetch, 'reader'> & Reader & { readerKey: string; network: string }

async function writeChunk(trx: Db, fetches: readonly KeyedFetch[]) {
  const revision = await nextRevision(trx)
  const owners = await findOwnersOf(trx, [...new Set(fetches.map(({ skillId }) => skillId))])
  const agentIds = new Set(fetches.flatMap(({ agentId }) => agentId ?? []))
  const networks = await findNetworksOf(trx, [...agentIds])
  const memberships = await findMembershipsOf(trx, [...agentIds])
  const counted = fetches.filter((fetch) => {
    const owner = owners.get(fetch.skillId)
    if (!owner) return false
    const registered = networks.get(fetch.agentId ?? '')
    if (owner.network !== null && [fetch.network, registered].includes(owner.network)) return false
    const isMember = memberships.has(`${fetch.agentId} ${owner.agentId}`)
    return fetch.agentId !== owner.agentId && !isMember
  })
  await countReaders(trx, counted, revision)
  const reads = counted.flatMap(({ skillId, day, network, agentId }) =>
    [network, ...(agentId ? [agentId] : [])].map((reader) => ({ skillId, reader, day })),
  )
  // Postgres refuses to upsert a row twice in one statement.
  const distinct = new Map(reads.map((read) => [`${read.skillId} ${read.reader}`, read]))
  await upsertReads(trx, [...distinct.values()])
}

/** Counts readers that were not counted that day, by address and by network. */
async function countReaders(trx: Db, fetches: readonly KeyedFetch[], revision: number) {
  const rows = fetches.flatMap(({ skillId, day, readerKey, network, version, kind }) => [
    { skillId, day, reader: readerKey },
    { skillId, day, reader: networkReader + network },
    { skillId, day, reader: `${versionReader}${version} ${kind} ${readerKey}` },
  ])
  const all = await insertFetches(trx, rows)
  const ofVersions = all.filter(({ reader }) => reader.startsWith(versionReader))
  for (const { skillId, day, reader } of ofVersions) {
    const [, version, kind] = reader.split(' ')
    const isInstall = kind === 'installs'
    await addVersionUsage(trx, {
      ...{ skillId, day, version: Number(version) },
      ...{ fetches: isInstall ? 0 : 1, installs: isInstall ? 1 : 0 },
    })
  }
  const added = all.filter((row) => !ofVersions.includes(row))
  for (const skillId of new Set(added.map((row) => row.skillId))) {
    const readers = added.filter((row) => row.skillId === skillId)
    const networks = readers.filter(({ reader }) => reader.startsWith(networkReader)).length
    await addFetches(trx, skillId, { addresses: readers.length - networks, networks }, revision)
  }
}

/** Prefix of networks in `reader`. Keys of addresses contain no space. */
const networkReader = 'net '

/** Prefix of readers of a version, followed by the version, the kind and the key of the address. */
const versionReader = 'version '
